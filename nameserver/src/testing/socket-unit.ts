import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'
import { testLibc } from '../doors/fast/self-test.ts'
import { UdpSocket, writeSocketAddress } from '../doors/fast/udp-socket.ts'
import type { Endpoint } from '../endpoint.ts'
import { loadFfi } from '../ffi.ts'
import { nameserverProgram, readyNameserver, type SpawnedNameserver } from './spawn-nameserver.ts'

const [ipv4, stream] = [2, 1]
const [levelSocket, reuseAddress] = [1, 2]

/** Sockets as systemd opens them for a socket unit: they stay open when the processes that they are passed to end. */
export class SocketUnit {
  readonly endpoint: Endpoint
  /** Of UDP sockets that share a port, then of a listening TCP socket on the same port. */
  readonly descriptors: readonly number[]

  private constructor(endpoint: Endpoint, descriptors: readonly number[]) {
    this.endpoint = endpoint
    this.descriptors = descriptors
  }

  /** The sockets of a free port of the loopback interface. */
  static open(test: TestContext, udpSockets = 2): SocketUnit {
    const libc = testLibc()
    const { listen } = loadFfi().dlopen(null, { listen: { arguments: ['i32', 'i32'], return: 'i32' } }).functions
    const first = UdpSocket.open(libc, { host: '127.0.0.1', port: 0 })
    const { endpoint } = first
    const others = Array.from({ length: udpSockets - 1 }, () => UdpSocket.open(libc, endpoint))
    const tcp = libc.socket(ipv4, stream, 0)
    const view = new DataView(new ArrayBuffer(32))
    view.setInt32(0, 1, true)
    libc.setsockopt(tcp, levelSocket, reuseAddress, libc.addressOf(view.buffer), 4)
    const length = writeSocketAddress(view, endpoint.host, endpoint.port)
    if (libc.bind(tcp, libc.addressOf(view.buffer), length) < 0 || listen(tcp, 1024) < 0)
      throw new Error(`no TCP socket on port ${endpoint.port}: errno ${libc.errorNumber()}`)
    const descriptors = [first, ...others].map(({ descriptor }) => descriptor).concat(tcp)
    test.after(() => descriptors.map((descriptor) => libc.close(descriptor)))
    return new SocketUnit(endpoint, descriptors)
  }

  /** Starts a nameserver with some of the sockets, and waits for its ready line. */
  start(test: TestContext, args: readonly string[], descriptors = this.descriptors): Promise<SpawnedNameserver> {
    const script = 'LISTEN_PID=$$ exec "$@"'
    const env = { ...process.env, LISTEN_FDS: String(descriptors.length) }
    const command = ['-c', script, 'sh', process.execPath, nameserverProgram, ...args]
    return readyNameserver(test, spawn('sh', command, { env, stdio: ['ignore', 'pipe', 'pipe', ...descriptors] }))
  }
}

import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'
import type { Libc } from '../doors/fast/libc.ts'
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
  /** The descriptors of UDP sockets that share a port, then of a listening TCP socket on the same port. */
  readonly descriptors: readonly number[]

  private constructor(endpoint: Endpoint, descriptors: readonly number[]) {
    this.endpoint = endpoint
    this.descriptors = descriptors
  }

  /** Opens the sockets on a free port of the loopback interface. */
  static open(test: TestContext, udpSockets = 2): SocketUnit {
    const libc = testLibc()
    // A client of another test may use the TCP port of the same number.
    for (let left = 20; ; left--) {
      const first = UdpSocket.open(libc, { host: '127.0.0.1', port: 0 })
      const { endpoint } = first
      const tcp = listenTcp(libc, endpoint)
      if (tcp < 0 && left === 0) throw new Error(`no TCP socket on port ${endpoint.port}: errno ${libc.errorNumber()}`)
      if (tcp < 0) {
        libc.close(first.descriptor)
        continue
      }
      const others = Array.from({ length: udpSockets - 1 }, () => UdpSocket.open(libc, endpoint))
      const descriptors = [first, ...others].map(({ descriptor }) => descriptor).concat(tcp)
      test.after(() => descriptors.map((descriptor) => libc.close(descriptor)))
      return new SocketUnit(endpoint, descriptors)
    }
  }

  /** Starts a nameserver with some of the sockets, and waits for its ready line. */
  start(test: TestContext, args: readonly string[], descriptors = this.descriptors): Promise<SpawnedNameserver> {
    const script = 'LISTEN_PID=$$ exec "$@"'
    const env = { ...process.env, LISTEN_FDS: String(descriptors.length) }
    const command = ['-c', script, 'sh', process.execPath, nameserverProgram, ...args]
    return readyNameserver(test, spawn('sh', command, { env, stdio: ['ignore', 'pipe', 'pipe', ...descriptors] }))
  }
}

/** The descriptor, or a negative number if the port is taken. */
function listenTcp(libc: Libc, { host, port }: Endpoint): number {
  const { listen } = loadFfi().dlopen(null, { listen: { arguments: ['i32', 'i32'], return: 'i32' } }).functions
  const descriptor = libc.socket(ipv4, stream, 0)
  const view = new DataView(new ArrayBuffer(32))
  view.setInt32(0, 1, true)
  libc.setsockopt(descriptor, levelSocket, reuseAddress, libc.addressOf(view.buffer), 4)
  const length = writeSocketAddress(view, host, port)
  if (libc.bind(descriptor, libc.addressOf(view.buffer), length) >= 0 && listen(descriptor, 1024) >= 0)
    return descriptor
  libc.close(descriptor)
  return -1
}

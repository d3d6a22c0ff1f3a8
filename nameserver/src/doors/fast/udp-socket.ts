import { isIP } from 'node:net'
import { writeAddress } from '../../address.ts'
import type { Endpoint } from '../../endpoint.ts'
import type { Libc } from './libc.ts'

const [familyIpv4, familyIpv6] = [2, 10]
const datagramsCloseOnExec = 2 | 0x80000
const [levelIpv4, levelSocket, levelIpv6] = [0, 1, 41]
const [reusePort, sendBuffer, receiveBuffer, receiveTimeout, ipv6Only] = [15, 7, 8, 20, 26]
/** With this option, the kernel never fragments a datagram. It ignores ICMP messages about the path, which may be forged (RFC 9715). */
const [mtuDiscovery, probe] = [10, 3]
const bufferBytes = 4 * 1024 * 1024
/** The interval at which a thread that waits for datagrams checks whether to stop, in case `shutDown` did not wake it. */
const receiveTimeoutUs = 800_000
/** The same for a socket that other processes share, because nothing can wake a thread that waits for it. */
const sharedReceiveTimeoutUs = 200_000
const receiving = 0
/** No one sends from this port. */
const discardPort = 9
const [getFlags, setFlags, nonBlocking] = [3, 4, 0x800]

/** Stops a thread, and defines what it does first with the queries that wait in its socket. */
export const Stop = { answerWaiting: 1, leaveWaiting: 2 } as const

const errorNames = new Map([
  [1, 'EPERM'],
  [13, 'EACCES'],
  [23, 'ENFILE'],
  [24, 'EMFILE'],
  [97, 'EAFNOSUPPORT'],
  [98, 'EADDRINUSE'],
  [99, 'EADDRNOTAVAIL'],
])

/** A UDP socket. Several sockets can share one port, and the kernel distributes the clients among them. */
export class UdpSocket {
  readonly descriptor: number
  readonly endpoint: Endpoint
  readonly #libc: Libc
  /** Whether other processes also have the socket. */
  readonly #isShared: boolean

  private constructor(libc: Libc, descriptor: number, endpoint: Endpoint, isShared: boolean) {
    this.#libc = libc
    this.descriptor = descriptor
    this.endpoint = endpoint
    this.#isShared = isShared
  }

  /** @throws Error with a `code`, like Node's system errors */
  static open(libc: Libc, { host, port }: Endpoint): UdpSocket {
    const isIpv6 = isIP(host) === 6
    const descriptor = libc.socket(isIpv6 ? familyIpv6 : familyIpv4, datagramsCloseOnExec, 0)
    if (descriptor < 0) throw systemError('socket', libc.errorNumber())
    const memory = new ArrayBuffer(64)
    const view = new DataView(memory)
    const at = libc.addressOf(memory)
    const check = (call: string, result: number) => {
      if (result >= 0) return
      const error = systemError(call, libc.errorNumber())
      libc.close(descriptor)
      throw error
    }
    const setOption = (level: number, option: number, value: number) => {
      view.setInt32(0, value, true)
      return libc.setsockopt(descriptor, level, option, at, 4)
    }
    check('setsockopt', setOption(levelSocket, reusePort, 1))
    if (isIpv6) check('setsockopt', setOption(levelIpv6, ipv6Only, 1))
    // IPv6 needs no such option: every path carries our largest answer.
    else check('setsockopt', setOption(levelIpv4, mtuDiscovery, probe))
    // The system may allow less, which is also sufficient.
    setOption(levelSocket, receiveBuffer, bufferBytes)
    setOption(levelSocket, sendBuffer, bufferBytes)
    view.setBigInt64(0, 0n, true)
    view.setBigInt64(8, BigInt(receiveTimeoutUs), true)
    check('setsockopt', libc.setsockopt(descriptor, levelSocket, receiveTimeout, at, 16))
    const length = writeSocketAddress(view, host, port)
    check('bind', libc.bind(descriptor, at, length))
    view.setInt32(32, length, true)
    check('getsockname', libc.getsockname(descriptor, at, at + 32n))
    return new UdpSocket(libc, descriptor, { host, port: view.getUint16(2) }, false)
  }

  /** Takes over a bound socket that another process opened and keeps. @throws Error with a `code` */
  static inherit(libc: Libc, descriptor: number, endpoint: Endpoint): UdpSocket {
    const view = new DataView(new ArrayBuffer(16))
    const at = libc.addressOf(view.buffer)
    view.setInt32(0, bufferBytes, true)
    libc.setsockopt(descriptor, levelSocket, receiveBuffer, at, 4)
    libc.setsockopt(descriptor, levelSocket, sendBuffer, at, 4)
    view.setInt32(0, probe, true)
    if (isIP(endpoint.host) === 4) libc.setsockopt(descriptor, levelIpv4, mtuDiscovery, at, 4)
    view.setBigInt64(0, 0n, true)
    view.setBigInt64(8, BigInt(sharedReceiveTimeoutUs), true)
    const isSet =
      libc.setsockopt(descriptor, levelSocket, receiveTimeout, at, 16) === 0 &&
      // Make the socket blocking: a thread waits in the kernel.
      libc.fcntl(descriptor, setFlags, libc.fcntl(descriptor, getFlags, 0) & ~nonBlocking) === 0
    if (!isSet) throw systemError('setsockopt', libc.errorNumber())
    return new UdpSocket(libc, descriptor, endpoint, true)
  }

  /**
   * Stops accepting datagrams. The kernel passes them to another socket of the port, if there is one. Earlier datagrams can still be received.
   * Closing the socket instead would lose them.
   *
   * @returns false, without an effect, for a shared socket, because the other processes still receive from it
   */
  turnAway(): boolean {
    if (this.#isShared) return false
    const view = new DataView(new ArrayBuffer(32))
    const at = this.#libc.addressOf(view.buffer)
    const length = writeSocketAddress(view, this.endpoint.host, discardPort)
    return this.#libc.connect(this.descriptor, at, length) === 0
  }

  /** Wakes the thread that waits for datagrams. A thread that waits for a shared socket wakes when its timeout ends. */
  wake(): void {
    // Without a peer, this call fails, but it still wakes the thread.
    if (!this.#isShared) this.#libc.shutdown(this.descriptor, receiving)
  }

  /** Releases the port. No thread may still wait for datagrams. */
  close(): void {
    this.#libc.close(this.descriptor)
  }
}

/** Writes a `struct sockaddr_in` or `sockaddr_in6`. @returns its length. */
export function writeSocketAddress(view: DataView, host: string, port: number): number {
  for (let at = 0; at < 28; at += 4) view.setInt32(at, 0)
  const isIpv6 = isIP(host) === 6
  view.setUint16(0, isIpv6 ? familyIpv6 : familyIpv4, true)
  view.setUint16(2, port)
  writeAddress(host, view, ipAddressAt(isIpv6))
  return isIpv6 ? 28 : 16
}

/** The offset of the IP address within a socket address. */
export function ipAddressAt(isIpv6: boolean): number {
  return isIpv6 ? 8 : 4
}

function systemError(call: string, number: number): Error {
  const code = errorNames.get(number) ?? `errno ${number}`
  return Object.assign(new Error(`${call}: ${code}`), { code })
}

import { isIP } from 'node:net'
import { writeAddress } from '../../address.ts'
import type { Endpoint } from '../../endpoint.ts'
import type { Libc } from './libc.ts'

const [familyIpv4, familyIpv6] = [2, 10]
const datagramsCloseOnExec = 2 | 0x80000
const [levelSocket, levelIpv6] = [1, 41]
const [reusePort, sendBuffer, receiveBuffer, receiveTimeout, ipv6Only] = [15, 7, 8, 20, 26]
const bufferBytes = 4 * 1024 * 1024
/** The interval at which a thread that waits for datagrams checks whether to stop, in case `shutDown` did not wake it. */
const receiveTimeoutUs = 800_000
const bothWays = 2

const errorNames = new Map([
  [1, 'EPERM'],
  [13, 'EACCES'],
  [23, 'ENFILE'],
  [24, 'EMFILE'],
  [97, 'EAFNOSUPPORT'],
  [98, 'EADDRINUSE'],
  [99, 'EADDRNOTAVAIL'],
])

/** A UDP socket that several may share a port with: the kernel gives each of them its share of the clients. */
export class UdpSocket {
  readonly descriptor: number
  readonly endpoint: Endpoint
  readonly #libc: Libc

  private constructor(libc: Libc, descriptor: number, endpoint: Endpoint) {
    this.#libc = libc
    this.descriptor = descriptor
    this.endpoint = endpoint
  }

  /** @throws Error with a `code` as Node's system errors have it */
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
    // The system may allow less, which does as well.
    setOption(levelSocket, receiveBuffer, bufferBytes)
    setOption(levelSocket, sendBuffer, bufferBytes)
    view.setBigInt64(0, 0n, true)
    view.setBigInt64(8, BigInt(receiveTimeoutUs), true)
    check('setsockopt', libc.setsockopt(descriptor, levelSocket, receiveTimeout, at, 16))
    const length = writeSocketAddress(view, host, port)
    check('bind', libc.bind(descriptor, at, length))
    view.setInt32(32, length, true)
    check('getsockname', libc.getsockname(descriptor, at, at + 32n))
    return new UdpSocket(libc, descriptor, { host, port: view.getUint16(2) })
  }

  /** Wakes all threads that wait for datagrams; none are received from then on. */
  shutDown(): void {
    // Of a socket without a peer this fails, and wakes them nevertheless.
    this.#libc.shutdown(this.descriptor, bothWays)
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

/** Where the IP address stands within a socket address. */
export function ipAddressAt(isIpv6: boolean): number {
  return isIpv6 ? 8 : 4
}

function systemError(call: string, number: number): Error {
  const code = errorNames.get(number) ?? `errno ${number}`
  return Object.assign(new Error(`${call}: ${code}`), { code })
}

import { ipv6ToText } from '@zonewright/dns'
import type { Libc } from '../doors/fast/libc.ts'
import { type Endpoint, endpointToText } from '../endpoint.ts'
import { StartupFault } from '../startup-fault.ts'

/** An endpoint whose sockets systemd opened and keeps (sd_listen_fds(3)); other processes may also have them. */
export interface InheritedEndpoint {
  readonly endpoint: Endpoint
  /** Descriptors of sockets that share the port. */
  readonly udp: readonly number[]
  readonly tcp: readonly number[]
}

const firstDescriptor = 3
const [levelSocket, socketType] = [1, 3]
const [stream, datagram] = [1, 2]
const [familyIpv4, familyIpv6] = [2, 10]

/** The descriptors that were passed to this process; none where LISTEN_FDS is missing or is for another process. */
export function inheritedDescriptors(env: NodeJS.ProcessEnv, pid: number): number[] {
  if (env['LISTEN_PID'] !== String(pid)) return []
  const count = Number(env['LISTEN_FDS'])
  return Number.isInteger(count) && count > 0
    ? Array.from({ length: count }, (_, index) => firstDescriptor + index)
    : []
}

/**
 * Groups the descriptors by endpoint.
 *
 * @throws StartupFault if a descriptor is not a UDP or TCP socket, if it is bound to all addresses of the machine (a response must come from the
 * address that was queried), or if an endpoint lacks a socket for UDP or TCP.
 */
export function inheritedEndpoints(libc: Libc, descriptors: readonly number[]): InheritedEndpoint[] {
  const found = new Map<string, { endpoint: Endpoint; udp: number[]; tcp: number[] }>()
  for (const descriptor of descriptors) {
    const { endpoint, type } = describe(libc, descriptor)
    const text = endpointToText(endpoint)
    const group = found.get(text) ?? { endpoint, udp: [], tcp: [] }
    group[type].push(descriptor)
    found.set(text, group)
  }
  for (const [text, { udp, tcp }] of found) {
    if (udp.length === 0) throw new StartupFault(`the socket unit has no ListenDatagram=${text}, but a ListenStream`)
    if (tcp.length === 0) throw new StartupFault(`the socket unit has no ListenStream=${text}, but a ListenDatagram`)
  }
  return [...found.values()]
}

function describe(libc: Libc, descriptor: number): { endpoint: Endpoint; type: 'udp' | 'tcp' } {
  const view = new DataView(new ArrayBuffer(64))
  const at = libc.addressOf(view.buffer)
  const lengthAt = 32
  view.setInt32(lengthAt, 4, true)
  const isKnown = libc.getsockopt(descriptor, levelSocket, socketType, at, at + BigInt(lengthAt)) === 0
  const type = isKnown ? view.getInt32(0, true) : 0
  view.setInt32(lengthAt, 28, true)
  const isNamed = libc.getsockname(descriptor, at, at + BigInt(lengthAt)) === 0
  const family = isNamed ? view.getUint16(0, true) : 0
  const isInternet = family === familyIpv4 || family === familyIpv6
  if (!isInternet || (type !== stream && type !== datagram))
    throw new StartupFault('the socket unit passes a socket that is neither UDP nor TCP')
  const bytes = family === familyIpv6 ? new Uint8Array(view.buffer, 8, 16) : new Uint8Array(view.buffer, 4, 4)
  const endpoint = { host: bytes.length === 16 ? ipv6ToText(bytes) : bytes.join('.'), port: view.getUint16(2) }
  if (bytes.every((byte) => byte === 0))
    throw new StartupFault(`the socket unit has ${endpointToText(endpoint)}: name each address of the machine instead`)
  return { endpoint, type: type === datagram ? 'udp' : 'tcp' }
}

import type { Edns, Message } from '@zonewright/dns'

/** Passes every path unfragmented (RFC 9715). */
const largestUdpBytes = 1232
const smallestUdpBytes = 512
const largestTcpBytes = 65_535

/** The EDNS data of the sandbox, in queries and in responses to clients that use EDNS. */
export const ourEdns: Edns = { udpSize: largestUdpBytes, version: 0, dnssecOk: false, options: [] }

/** The maximum length of the response. Values below 512 bytes mean 512 (RFC 6891 §6.2.3). */
export function mostBytesFor({ edns }: Message, transport: 'udp' | 'tcp'): number {
  if (transport === 'tcp') return largestTcpBytes
  return Math.min(Math.max(edns?.udpSize ?? 0, smallestUdpBytes), largestUdpBytes)
}

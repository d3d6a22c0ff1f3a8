import type { Message } from '@zonewright/dns'

/** Passes every path unfragmented (RFC 9715). */
export const largestUdpBytes = 1232
const smallestUdpBytes = 512
const largestTcpBytes = 65_535

/** How long the answer may be. Who offers less than 512 bytes means 512 (RFC 6891 §6.2.3). */
export function mostBytesFor({ edns }: Message, transport: 'udp' | 'tcp'): number {
  if (transport === 'tcp') return largestTcpBytes
  return Math.min(Math.max(edns?.udpSize ?? 0, smallestUdpBytes), largestUdpBytes)
}

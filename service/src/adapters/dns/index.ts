import type { DnsProbe } from '#ports/dns-probe.ts'
import type { ParentDns } from '#ports/parent-dns.ts'
import type { ZoneSource } from '#ports/zone-source.ts'
import { isPublicAddress } from '../webhook-http/guard.ts'
import type { Server } from './ask.ts'
import { PacketProbe } from './packet-probe.ts'
import { PacketZoneSource } from './packet-zone-source.ts'
import { PacketParentDns } from './parent-dns.ts'

const timeoutMs = 1_500

/** The parents of zones, found through this resolver. Only public addresses are queried; the resolver itself may have any address. */
export function createParentDns(resolver: Server): ParentDns {
  return new PacketParentDns({ resolver, mayAsk: isPublicAddress, port: 53, timeoutMs })
}

export function createDnsProbe(): DnsProbe {
  return new PacketProbe({ timeoutMs })
}

export function createZoneSource(): ZoneSource {
  return new PacketZoneSource({ timeoutMs })
}

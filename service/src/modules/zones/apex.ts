import { parseName, parseRdata, type Rrset, RrType, type SoaData, soaToRdata, toSerial } from '@zonewright/dns'
import { absolute } from './zone-name.ts'

/** TTL and timers of the records that the service adds at a zone's apex (design: dns, "Publication"), in seconds. */
export const apexTtl = 3_600
const timers = { refresh: 14_400, retry: 3_600, expire: 1_209_600, minimum: 300 }

/** The internal serial continues past 2^32; the DNS shows its remainder (RFC 1982). */
function dnsSerial(serial: number) {
  return toSerial(serial % 2 ** 32)
}

/** The zone's SOA record as published. */
export function soaOf(zone: { name: string; serial: number }, nameservers: readonly string[]): SoaData {
  const primary = nameservers[0] ?? 'invalid'
  return {
    mname: absolute(primary),
    rname: parseName(`hostmaster.${domainOf(primary)}.`),
    serial: dnsSerial(zone.serial),
    ...timers,
  }
}

/**
 * The rrsets that the service manages in every zone: the SOA, and an NS for each nameserver and each secondary of the customer that has a
 * name. Customers cannot write them.
 */
export function apexRrsets(
  zone: { name: string; serial: number; secondaryNames?: readonly string[] | null },
  nameservers: readonly string[],
): [soa: Rrset, ns: Rrset] {
  const name = absolute(zone.name)
  const hosts = [...nameservers, ...(zone.secondaryNames ?? [])]
  return [
    { name, type: RrType.SOA, ttl: apexTtl, data: [soaToRdata(soaOf(zone, nameservers))] },
    { name, type: RrType.NS, ttl: apexTtl, data: hosts.map((host) => parseRdata(RrType.NS, `${host}.`)) },
  ]
}

/** The domain of a nameserver's operators: those of ns1.example.net are at example.net. */
function domainOf(host: string): string {
  return host.slice(host.indexOf('.') + 1)
}

import { type DomainName, parseName } from '@zonewright/dns'

/** Many similar zones, whose answers follow from their numbers and can be checked without another server. */
export interface ZoneSet {
  readonly count: number
  /** The initial serial of every zone. */
  readonly serial: number
  /** Whether each zone also has two addresses `version`, which contain its serial. */
  readonly isChanging?: boolean
}

/** Records of each zone, SOA and NS included. */
export const recordsPerZone = 10

export function zoneName(zone: number): string {
  return `z${String(zone).padStart(6, '0')}.example`
}

export function originOf(zone: number): DomainName {
  return parseName(`${zoneName(zone)}.`)
}

/** The number of the zone with this name; NaN for any other name. */
export function zoneOf(name: DomainName): number {
  return Number(/^z(\d{6})\.example\.$/.exec(name)?.[1])
}

/** The address of `www` in a zone; other names have the same address in another network. */
export function addressOf(zone: number, network = 10): string {
  return `${network}.${(zone >> 16) & 255}.${(zone >> 8) & 255}.${zone & 255}`
}

/** The same as the four bytes of an answer. */
export function addressWord(zone: number, network = 10): number {
  return network * 2 ** 24 + (zone & 0xffffff)
}

export const wildcardNetwork = 11
export const versionNetworks = [12, 13] as const

/** The file of one zone (RFC 1035 §5), every name written out from the origin. */
export function zoneText(zone: number, serial: number, isChanging = false): string {
  return `$ORIGIN ${zoneName(zone)}.
$TTL 300
@ SOA ns1.nameservers.example. hostmaster.nameservers.example. ${serial} 14400 3600 1209600 300
@ NS ns1.nameservers.example.
@ NS ns2.nameservers.example.
@ A ${addressOf(zone)}
@ MX 10 mail
@ TXT "v=spf1 mx -all"
www A ${addressOf(zone)}
mail A ${addressOf(zone)}
alias CNAME www
*.wild A ${addressOf(zone, wildcardNetwork)}
${isChanging ? versionNetworks.map((network) => `version A ${addressOf(serial, network)}\n`).join('') : ''}`
}

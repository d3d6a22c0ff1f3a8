/** Many zones alike, whose answers are known from their numbers: who is asked can be checked without a second opinion. */
export interface ZoneSet {
  readonly count: number
  /** The serial of every zone. */
  readonly serial: number
}

export function zoneName(zone: number): string {
  return `z${String(zone).padStart(6, '0')}.example`
}

/** The address of `www` in a zone; other names have the same in another network. */
export function addressOf(zone: number, network = 10): string {
  return `${network}.${(zone >> 16) & 255}.${(zone >> 8) & 255}.${zone & 255}`
}

/** The same as the four bytes of an answer. */
export function addressWord(zone: number, network = 10): number {
  return network * 2 ** 24 + (zone & 0xffffff)
}

export const wildcardNetwork = 11

/** The file of one zone (RFC 1035 §5), every name written out from the origin. */
export function zoneText(zone: number, serial: number): string {
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
`
}

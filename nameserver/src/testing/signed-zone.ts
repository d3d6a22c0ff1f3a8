import { createHash } from 'node:crypto'
import {
  type DomainName,
  groupRecords,
  nsec3Chain,
  optOutFlag,
  parentOf,
  parseRdata,
  planSigning,
  type ResourceRecord,
  RrType,
  recordsOf,
  typeToText,
  type Zone,
} from '@zonewright/dns'

/** How a test zone denies; NSEC3 with the parameters as NSEC3PARAM writes them. */
export interface TestDenial {
  readonly kind: 'nsec' | 'nsec3' | 'opt-out'
  readonly iterations?: number
  readonly salt?: string
}

export const sha1 = (bytes: Uint8Array): Uint8Array => createHash('sha1').update(bytes).digest()

/**
 * The records of a zone with signatures and a chain of NSEC or NSEC3, as a signer would create them. The signatures have the right form but are not
 * valid, because servers do not check them.
 */
export function signedRecords(zone: Zone, denial: TestDenial): ResourceRecord[] {
  const records = [...[...zone.rrsets()].flatMap(recordsOf), ...chainOf(zone, denial)]
  const signed = groupRecords(records).filter(({ name, type }) => isSigned(zone, name, type))
  return [...records, ...signed.map(({ name, type, ttl }) => signature(zone.origin, name, type, ttl))]
}

/** The records of NSEC, or those of NSEC3 with their NSEC3PARAM. */
function chainOf(zone: Zone, { kind, iterations = 0, salt = '-' }: TestDenial): readonly ResourceRecord[] {
  if (kind === 'nsec') return planSigning(zone, zone.names, { keys: [], inception: 0, expiration: 0 }).diff([]).added
  const flags = kind === 'opt-out' ? optOutFlag : 0
  const bytes = Buffer.from(salt === '-' ? '' : salt, 'hex')
  return nsec3Chain(zone, { algorithm: 1, flags, iterations, salt: bytes }, sha1).flatMap(recordsOf)
}

function isDelegation(zone: Zone, name: DomainName): boolean {
  return name !== zone.origin && zone.rrset(name, RrType.NS) !== undefined
}

/** Below a zone cut or a DNAME. */
function isHidden(zone: Zone, name: DomainName): boolean {
  for (let at = name; at !== zone.origin; ) {
    at = parentOf(at)
    if (isDelegation(zone, at) || zone.rrset(at, RrType.DNAME) !== undefined) return true
  }
  return false
}

function isSigned(zone: Zone, name: DomainName, type: RrType): boolean {
  if (type === RrType.RRSIG) return false
  if (type === RrType.NSEC || type === RrType.NSEC3) return true
  if (isHidden(zone, name)) return false
  return !isDelegation(zone, name) || type === RrType.DS
}

function signature(origin: DomainName, name: DomainName, type: RrType, ttl: number): ResourceRecord {
  const labels = name.split('.').length - 1 - (name.startsWith('*.') ? 1 : 0)
  const text = `${typeToText(type)} 13 ${labels} ${ttl} 20300101000000 20200101000000 1 ${origin} ${'A'.repeat(86)}==`
  return { name, type: RrType.RRSIG, ttl, data: parseRdata(RrType.RRSIG, text) }
}

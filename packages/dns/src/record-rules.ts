import { DnsFault, type RecordFault } from './faults.ts'
import { type DomainName, isHostName, isLocalHost, isWildcard, parentOf, rootName } from './name.ts'
import { canonicalRdata, genericText, parseRdata, rdataToText, readRdata } from './rdata.ts'
import { namesIn, type RecordData } from './rdata-wire.ts'
import { type RelativeName, relativeNames } from './relative-name.ts'
import { targetFault } from './target.ts'
import { readStrings } from './text-strings.ts'
import { isMetaType, RrType, toType, typeToText } from './type.ts'
import { recordTypeOf } from './types/table.ts'
import type { DottedNames } from './words.ts'

/** An error in the position of a record, with the part of the record that causes it. */
export interface PlacementFault extends RecordFault {
  readonly at: 'name' | 'type'
}

/** Bounds of a TTL, and the default (design: zones, "Records"). Seconds. */
export const ttlBounds = { least: 30, most: 604_800, usual: 3_600 }
/** Size of one rrset in a DNS message: more would not fit an answer over TCP. */
const maxRrsetBytes = 64_000

/** A value in its canonical form, and the reason why a new value cannot be written like this. */
export interface WrittenValue {
  readonly value: string
  /** Why a new value cannot be written like this; undefined if it can. Values that a zone already has are accepted as they are printed. */
  readonly fault?: RecordFault
  /** Its relative names of two or more labels, if there are any. */
  readonly relative?: readonly RelativeName[]
}

/**
 * Reads a customer's value into its canonical form, and checks host-name targets. Refuses values that no text form could express, because the generic
 * form allows bytes that no server would load.
 *
 * @throws DnsFault `bad_rdata`
 */
export function readValue(type: RrType, text: string, origin: DomainName, dotted?: DottedNames): WrittenValue {
  const { data, names } = readStrings(type, text, origin, dotted)
  const value = dataValue(type, data, text)
  const fault = targetFault(type, names, data)
  // A text that is not a domain name cannot lack a final dot.
  const relative = dotted === 'absolute' || fault !== undefined ? [] : relativeNames(names, origin)
  return { value, ...(fault && { fault }), ...(relative.length > 0 && { relative }) }
}

/** The canonical form of data. `text`: what it was read from, if that is known. Throws like `readValue`. */
export function dataValue(type: RrType, data: RecordData, text?: string): string {
  refuseBadTargets(type, data)
  const value = rdataToText(type, data)
  // The value is stored as text, and parsed when it is published.
  if (value !== text) parseRdata(type, value)
  refuseUnloadable(type, data, value)
  return value
}

/** The canonical form of a new value. Throws like `readValue`, and also if the value has a fault. */
export function recordValue(type: RrType, text: string, origin: DomainName): string {
  const { value, fault } = readValue(type, text, origin)
  if (fault !== undefined) throw new DnsFault('bad_rdata', fault.message)
  return value
}

/** A canonical value in a form that can be read back: the generic form if `readValue` would reject the spelling of a name in it. */
export function printedValue(type: RrType, value: string): string {
  if (!/:|\/\//.test(value) || !recordTypeOf(type)?.hasNames) return value
  const { data, names } = readRdata(type, value, rootName)
  return targetFault(type, names, data) === undefined ? value : genericText(data)
}

/**
 * A value to be removed, in its canonical form. It may be one that could no longer be written; strings are quoted as in one that is.
 *
 * @throws DnsFault `bad_rdata`
 */
export function removedValue(type: RrType, text: string, origin: DomainName): string {
  return rdataToText(type, readStrings(type, text, origin).data)
}

/** Refuses data for which another nameserver would refuse the whole zone. */
function refuseUnloadable(type: RrType, data: RecordData, canonical: string): void {
  const declared = recordTypeOf(type)
  if (declared === undefined) {
    if (type === RrType.NULL && data.length === 0)
      throw new DnsFault('bad_rdata', 'NULL needs at least one byte, such as `\\# 1 00`.')
    return
  }
  const why = isInvalidGeneric(type, canonical) ? 'these bytes are not valid for the type' : declared.writeFault?.(data)
  if (why !== undefined) throw new DnsFault('bad_rdata', `${typeToText(type)} needs ${declared.needs}: ${why}.`)
}

/** Whether canonical text is in the generic form although the type has a text form: the bytes are not valid for the type. */
function isInvalidGeneric(type: RrType, canonical: string): boolean {
  return (
    canonical.startsWith('\\# ') && recordTypeOf(type) !== undefined && !(type === RrType.APL && canonical === '\\# 0')
  )
}

/**
 * Whether a stored value has bytes that are not valid for its type.
 *
 * Such values were accepted in the generic form (RFC 3597) before the type had a codec. Nameservers that know the type refuse the whole zone
 * because of them.
 */
export function isInvalidStored(type: RrType, text: string): boolean {
  if (!text.startsWith('\\# ')) return false
  try {
    return isInvalidGeneric(type, canonicalRdata(type, text))
  } catch (fault) {
    if (fault instanceof DnsFault) return true
    throw fault
  }
}

/** Types whose targets are hosts; those of PTR may also be service instances, which are not host names (RFC 6763 §4.1). */
const hostTargets = new Set<RrType>([RrType.MX, RrType.NS, RrType.SRV, RrType.PTR, RrType.ALIAS])
/** Types whose target `.` means "no service here" (RFC 7505, RFC 2782). */
const rootTargets = new Set<RrType>([RrType.MX, RrType.SRV])

function refuseBadTargets(type: RrType, data: RecordData): void {
  if (!hostTargets.has(type)) return
  for (const target of namesIn(type, data)) {
    if (target === rootName && rootTargets.has(type)) continue
    if (target === rootName || (type !== RrType.PTR && !isHostName(target)))
      throw new DnsFault('bad_rdata', `${target} is not a host name.`)
    if (type === RrType.ALIAS && isLocalHost(target))
      throw new DnsFault('bad_rdata', `${target} is not a host on the public internet, so ALIAS cannot point to it.`)
  }
}

/** Why records of a type cannot be written at any name; undefined if they can. */
function unwritableType(type: RrType): string | undefined {
  if (type === RrType.SOA) return 'The SOA is managed by the service and updated automatically.'
  if (isMetaType(type)) return `${typeToText(type)} exists only in messages.`
  if (type === reservedType) return 'TYPE65535 is reserved (RFC 6895 §3.1).'
  if (powerDnsTypes.has(type)) return `PowerDNS uses ${typeToText(type)} internally and refuses zones that contain it.`
  return undefined
}

const reservedType = toType(0xffff)

/** Types that PowerDNS uses internally: LUA. */
const powerDnsTypes: ReadonlySet<RrType> = new Set([toType(65402)])

/** Types that the signer of a zone adds at any name. */
const signingTypes: ReadonlySet<RrType> = new Set([RrType.RRSIG, RrType.NSEC, RrType.NSEC3, RrType.NSEC3PARAM])

/** Types that the signer of a zone adds at its apex. Elsewhere they have no meaning, or belong to another zone. */
const apexSigningTypes: ReadonlySet<RrType> = new Set([RrType.DNSKEY, RrType.CDS, RrType.CDNSKEY, RrType.ZONEMD])

/**
 * Why only the signer of the zone, which is the service and never a customer, may write records of a type at a name; undefined if customers may.
 *
 * In a zone that the service does not sign, such records are wrong, and other nameservers may refuse the zone.
 */
export function signingReason(name: DomainName, type: RrType, origin: DomainName): string | undefined {
  if (signingTypes.has(type))
    return `Only the signer of a zone can create ${typeToText(type)} records, and the service does not sign this zone.`
  if (name === origin && apexSigningTypes.has(type))
    return `Only the signer of a zone can create ${typeToText(type)} records at the apex, and the service does not sign this zone.`
  return undefined
}

/** What is wrong with records of a type at a name, whatever their data; undefined if nothing is wrong. */
export function placementFault(name: DomainName, type: RrType, origin: DomainName): PlacementFault | undefined {
  const fault = (at: 'name' | 'type', code: string, message: string): PlacementFault => ({ at, code, message })
  const atApex = name === origin
  const unwritable = unwritableType(type)
  if (type === RrType.SOA && atApex) return fault('type', 'service_owned', unwritable ?? '')
  if (type === RrType.NS && atApex)
    return fault('type', 'service_owned', 'The NS records at the apex are the service’s own nameservers.')
  if (unwritable !== undefined) return fault('type', 'bad_type', unwritable)
  const signing = signingReason(name, type, origin)
  if (signing !== undefined) return fault('type', 'service_owned', signing)
  if (type === RrType.CNAME && atApex)
    return fault(
      'type',
      'cname_at_apex',
      'A zone cannot have a CNAME at its own name. Use an ALIAS instead: it publishes the A and AAAA records of its target.',
    )
  if (type === RrType.DS && atApex)
    return fault('type', 'ds_at_apex', 'A DS belongs in the parent zone, not at the apex (RFC 4035 §2.4).')
  if (hasInnerWildcard(name))
    return fault('name', 'bad_name', '`*` is a wildcard only as the leftmost label (RFC 4592 §2.1.1).')
  if (type === RrType.NS && isWildcard(name))
    return fault('type', 'wildcard_ns', 'A wildcard cannot be delegated (RFC 4592 §4.2).')
  if (type === RrType.DNAME && isWildcard(name))
    return fault(
      'type',
      'wildcard_dname',
      'A DNAME at a wildcard has no meaning of its own (RFC 4592 §4.4, RFC 6672 §3.3).',
    )
  return undefined
}

function hasInnerWildcard(name: DomainName): boolean {
  return name.includes('*') && parentOf(name).split('.').includes('*')
}

/** What is wrong with a TTL; undefined if nothing is wrong. */
export function ttlFault(ttl: number): RecordFault | undefined {
  if (Number.isInteger(ttl) && ttl >= ttlBounds.least && ttl <= ttlBounds.most) return undefined
  return { code: 'bad_ttl', message: `A TTL has ${ttlBounds.least} to ${ttlBounds.most} seconds.` }
}

/** The faults of values that are valid individually, but not together in one rrset. */
export function faultsTogether(type: RrType, records: readonly string[]): RecordFault[] {
  if (singletons.has(type) && records.length > 1)
    return [
      {
        code: 'single_value',
        message: `A name has at most one ${typeToText(type)} record; this would make ${records.length}.`,
      },
    ]
  const nullMx = type === RrType.MX ? records.filter((record) => record.endsWith(' .')) : []
  if (nullMx.length > 0 && (records.length > 1 || nullMx[0] !== '0 .'))
    return [{ code: 'null_mx', message: 'The null MX record, `0 .`, must be the only MX record (RFC 7505 §3).' }]
  if (isTooLarge(type, records))
    return [{ code: 'too_large', message: `An rrset may hold ${maxRrsetBytes} bytes; this one would be larger.` }]
  return []
}

/** Types of which a name has only one record: CNAME (RFC 2181 §10.1), DNAME (RFC 6672 §2.4), ALIAS (design: product, "ALIAS"). */
const singletons: ReadonlySet<RrType> = new Set([RrType.CNAME, RrType.DNAME, RrType.ALIAS])

/** Bytes of a record without its data: compressed owner name, type, class, TTL, length (RFC 1035 §4.1.3). */
const recordHeadBytes = 12

/** The maximum ratio of the length of data to that of its text: `::,` of an ipv6hint is 16 bytes, `TYPE511 ` of a bitmap 34. */
const bytesPerLetter = 6

/** Whether the rrset, or its text, is larger than one message. Short texts are not parsed for this. */
function isTooLarge(type: RrType, records: readonly string[]): boolean {
  const textBytes = rrsetBytes(records)
  if (textBytes > maxRrsetBytes || textBytes * bytesPerLetter <= maxRrsetBytes) return textBytes > maxRrsetBytes
  const wireBytes = records.reduce((sum, record) => sum + recordHeadBytes + parseRdata(type, record).length, 0)
  return wireBytes > maxRrsetBytes
}

/** The size of the rrset's text, which is larger than the data for most types. Stored zones are counted this way. */
export function rrsetBytes(records: readonly string[]): number {
  return records.reduce((sum, record) => sum + recordHeadBytes + Math.max(record.length + 1, 16), 0)
}

import { domainToASCII } from 'node:url'
import {
  DnsFault,
  type DomainName,
  isHostName,
  isWildcard,
  isWithin,
  namesIn,
  parentOf,
  parseName,
  parseRdata,
  parseType,
  type RecordData,
  RrType,
  rdataToText,
  rootName,
  typeToText,
} from '@zonewright/dns'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'

/** Bounds of a TTL, and what one gets that names none (design: zones, "Records"). Seconds. */
export const ttlBounds = { least: 30, most: 604_800, usual: 3_600 }
/** Size of one rrset in a DNS message: more would not fit an answer over TCP. */
const maxRrsetBytes = 64_000

/** What a caller asks of one rrset, as it came. */
export interface RequestedChange {
  readonly name: string
  readonly type: string
  readonly ttl?: number | undefined
  readonly ask: Ask
}

/** Replace the whole rrset (no records: delete it), create it where there is none, or add and remove single values. */
export type Ask =
  | { readonly kind: 'replace'; readonly records: readonly string[] }
  | { readonly kind: 'create'; readonly records: readonly string[] }
  | { readonly kind: 'edit'; readonly add: readonly string[]; readonly remove: readonly string[] }

/** A change whose names and values are canonical and valid by themselves; whether it fits the zone is for the plan. */
export interface RrsetChange {
  readonly name: string
  readonly type: string
  readonly ttl: number | undefined
  readonly ask: Ask
}

/** The change in canonical form, with the warnings that merging duplicates gave; or what is wrong with it. */
export type ParsedChange =
  | { readonly change: RrsetChange; readonly duplicates: number }
  | { readonly faults: readonly FaultDetail[] }

/**
 * Parses one requested change for a zone. Every fault is told at once, each with its place below `path`.
 *
 * Checks all that can be told without the zone's records: names, types, values, TTL (RFC 1034, 1035, 2181, 4592).
 */
export function parseChange(zone: string, requested: RequestedChange, path: ChangePath): ParsedChange {
  const faults: FaultDetail[] = []
  const origin = absolute(zone)
  const name = attempt(faults, path.name, () => ownerName(requested.name, origin))
  const type = attempt(faults, path.type, () => parseType(requested.type))
  if (name !== undefined && type !== undefined) faults.push(...placementFaults(name, type, origin, path))
  faults.push(...ttlFaults(requested.ttl, path.ttl))
  let duplicates = 0
  const values = (texts: readonly string[], at: string): string[] => {
    if (type === undefined) return []
    const parsed = texts.flatMap((text, i) => attempt(faults, `${at}/${i}`, () => value(type, text, origin)) ?? [])
    const unique = [...new Set(parsed)]
    duplicates += parsed.length - unique.length
    return unique
  }
  const ask = canonicalAsk(requested.ask, path, values)
  if (name !== undefined && type !== undefined) faults.push(...shapeFaults(type, ask, path))
  if (faults.length > 0 || name === undefined || type === undefined) return { faults }
  return { change: { name: relativeToRoot(name), type: typeToText(type), ttl: requested.ttl, ask }, duplicates }
}

/** The owner name and type that a path means, in canonical form. Throws the refusal, naming what is wrong. */
export function parseTarget(zone: string, target: { name: string; type: string }): { name: string; type: string } {
  const faults: FaultDetail[] = []
  const name = attempt(faults, 'name', () => ownerName(target.name, absolute(zone)))
  const type = attempt(faults, 'type', () => parseType(target.type))
  if (name === undefined || type === undefined) throw refusalOf(faults)
  return { name: relativeToRoot(name), type: typeToText(type) }
}

/** Those of the targets that can be read at all; what is wrong with the others is told with every other fault. */
export function readableTargets(
  zone: string,
  targets: readonly { name: string; type: string }[],
): { name: string; type: string }[] {
  return targets.flatMap((target) => {
    const name = attempt([], '', () => ownerName(target.name, absolute(zone)))
    const type = attempt([], '', () => parseType(target.type))
    return name === undefined || type === undefined ? [] : [{ name: relativeToRoot(name), type: typeToText(type) }]
  })
}

/** Where the parts of a change stand in the request. */
export interface ChangePath {
  readonly name: string
  readonly type: string
  readonly ttl: string
  readonly records: string
  readonly add: string
  readonly remove: string
}

/** Places of a change whose members stand below one JSON pointer. */
export function pathBelow(prefix: string): ChangePath {
  const at = (member: string): string => `${prefix}/${member}`
  return {
    name: at('name'),
    type: at('type'),
    ttl: at('ttl'),
    records: at('records'),
    add: at('add'),
    remove: at('remove'),
  }
}

/**
 * An owner name as people write it: `@`, a relative name, or one that ends in the zone's name, with or without the dot.
 * Unicode names become A-labels (RFC 5890).
 */
export function ownerName(text: string, origin: DomainName): DomainName {
  const ascii = /^[\x00-\x7f]*$/.test(text) ? text : domainToASCII(text)
  if (ascii === '') throw new DnsFault('bad_name', `${JSON.stringify(text)} is not a domain name.`)
  if (ascii === '@') return origin
  const name = parseName(ascii, origin)
  if (ascii.endsWith('.')) {
    if (isWithin(name, origin)) return name
    throw new DnsFault('out_of_zone', `${ascii} is not in the zone ${relativeToRoot(origin)}.`)
  }
  const whole = parseName(`${ascii}.`)
  return isWithin(whole, origin) ? whole : name
}

/** The value in its one canonical form, with host-name targets checked. */
function value(type: RrType, text: string, origin: DomainName): string {
  const data = parseRdata(type, text, origin)
  refuseBadTargets(type, data, origin)
  refuseForgottenDot(type, data, text, origin)
  return rdataToText(type, data)
}

/** Types whose targets are hosts; those of PTR may also be service instances, which are no host names (RFC 6763 §4.1). */
const hostTargets = new Set<RrType>([RrType.MX, RrType.NS, RrType.SRV, RrType.PTR])
/** Types of which the target `.` says "no service here" (RFC 7505, RFC 2782). */
const rootTargets = new Set<RrType>([RrType.MX, RrType.SRV])

function refuseBadTargets(type: RrType, data: RecordData, origin: DomainName): void {
  if (!hostTargets.has(type)) return
  for (const target of namesIn(type, data)) {
    if (target === rootName && rootTargets.has(type)) continue
    const written = isWithin(target, origin) ? target.slice(0, -origin.length) : target
    if (looksLikeAddress(written))
      throw new DnsFault(
        'bad_rdata',
        `${written.replace(/\.$/, '')} is an address; ${typeToText(type)} takes a host name.`,
      )
    if (target === rootName || (type !== RrType.PTR && !isHostName(target)))
      throw new DnsFault('bad_rdata', `${target} is not a host name.`)
  }
}

/** `mail.example.com` in the zone example.com would mean mail.example.com.example.com: nobody means that. */
function refuseForgottenDot(type: RrType, data: RecordData, text: string, origin: DomainName): void {
  for (const target of namesIn(type, data)) {
    if (
      origin === rootName ||
      !`.${target}`.endsWith(`.${origin}${origin}`) ||
      text.toLowerCase().includes(target.slice(0, -1))
    )
      continue
    const meant = target.slice(0, -origin.length)
    throw new DnsFault('bad_rdata', `${meant.slice(0, -1)} without a trailing dot would mean ${target} Write ${meant}`)
  }
}

/** Only the whole of it counts: hosts behind an address are often named `1.2.0.192.pool.example.net.` */
function looksLikeAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}\.?$/.test(name) || /^[0-9a-f]*:[0-9a-f:]*\.?$/.test(name)
}

/** Types that the service owns or that only exist in questions and answers. */
const unwritable = new Map<RrType, string>([
  [RrType.SOA, 'The SOA is the service’s own and follows by itself.'],
  [RrType.OPT, 'OPT exists only in messages.'],
  [RrType.TSIG, 'TSIG exists only in messages.'],
  [RrType.ANY, 'ANY exists only in questions.'],
  [RrType.AXFR, 'AXFR exists only in questions.'],
  [RrType.IXFR, 'IXFR exists only in questions.'],
])

function placementFaults(name: DomainName, type: RrType, origin: DomainName, path: ChangePath): FaultDetail[] {
  const fault = (at: string, code: string, message: string): FaultDetail[] => [{ path: at, code, message }]
  const atApex = name === origin
  if (type === RrType.SOA && atApex) return fault(path.type, 'service_owned', unwritable.get(type) ?? '')
  if (type === RrType.NS && atApex)
    return fault(path.type, 'service_owned', 'The NS records at the apex are the service’s own nameservers.')
  if (unwritable.has(type)) return fault(path.type, 'bad_type', unwritable.get(type) ?? '')
  if (type === RrType.CNAME && atApex)
    return fault(
      path.type,
      'cname_at_apex',
      'A CNAME cannot stand at the apex, beside the SOA and NS (RFC 1034 §3.6.2). Use A and AAAA records.',
    )
  if (type === RrType.DS && atApex)
    return fault(path.type, 'ds_at_apex', 'A DS belongs in the parent zone, not at the apex (RFC 4035 §2.4).')
  if (hasInnerWildcard(name))
    return fault(path.name, 'bad_name', '`*` is a wildcard only as the leftmost label (RFC 4592 §2.1.1).')
  if (type === RrType.NS && isWildcard(name))
    return fault(path.type, 'wildcard_ns', 'A wildcard cannot be delegated (RFC 4592 §4.2).')
  return []
}

function hasInnerWildcard(name: DomainName): boolean {
  return parentOf(name).split('.').includes('*')
}

function ttlFaults(ttl: number | undefined, path: string): FaultDetail[] {
  if (ttl === undefined || (ttl >= ttlBounds.least && ttl <= ttlBounds.most)) return []
  return [{ path, code: 'bad_ttl', message: `A TTL has ${ttlBounds.least} to ${ttlBounds.most} seconds.` }]
}

function shapeFaults(type: RrType, ask: Ask, path: ChangePath): FaultDetail[] {
  const records = ask.kind === 'edit' ? ask.add : ask.records
  const at = ask.kind === 'edit' ? path.add : path.records
  return faultsTogether(type, records).map((fault) => ({ path: at, ...fault }))
}

/** What is wrong with values that are good by themselves, as one rrset. */
export function faultsTogether(type: RrType, records: readonly string[]): FaultDetail[] {
  if (singletons.has(type) && records.length > 1)
    return [
      {
        code: 'single_value',
        message: `A name has at most one ${typeToText(type)} record; this would make ${records.length}.`,
      },
    ]
  const nullMx = type === RrType.MX ? records.filter((record) => record.endsWith(' .')) : []
  if (nullMx.length > 0 && (records.length > 1 || nullMx[0] !== '0 .'))
    return [{ code: 'null_mx', message: 'The null MX stands alone, as `0 .` (RFC 7505 §3).' }]
  if (rrsetBytes(records) > maxRrsetBytes)
    return [{ code: 'too_large', message: `An rrset may hold ${maxRrsetBytes} bytes; this one would be larger.` }]
  return []
}

/** Types of which a name has one record only: CNAME (RFC 2181 §10.1), DNAME (RFC 6672 §2.4). */
const singletons: ReadonlySet<RrType> = new Set([RrType.CNAME, RrType.DNAME])

/** Bytes of a record beside its data: compressed owner name, type, class, TTL, length (RFC 1035 §4.1.3). */
const recordHeadBytes = 12

/** How large the rrset is at most in a message. Its text is never shorter than its data, except for names and addresses. */
function rrsetBytes(records: readonly string[]): number {
  return records.reduce((sum, record) => sum + recordHeadBytes + Math.max(record.length + 1, 16), 0)
}

function canonicalAsk(ask: Ask, path: ChangePath, values: (texts: readonly string[], at: string) => string[]): Ask {
  if (ask.kind === 'edit')
    return { kind: 'edit', add: values(ask.add, path.add), remove: values(ask.remove, path.remove) }
  return { kind: ask.kind, records: values(ask.records, path.records) }
}

function attempt<T>(faults: FaultDetail[], path: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error
    faults.push({ path, code: error.code, message: error.message })
    return undefined
  }
}

/** The refusal for faults of records: `service_owned` when that is all that is wrong, else `validation_failed`. */
export function refusalOf(faults: readonly FaultDetail[]): Refusal {
  const [first] = faults
  const code = faults.every((fault) => fault.code === 'service_owned') ? 'service_owned' : 'validation_failed'
  const place = first?.line === undefined ? first?.path : `line ${first.line}`
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  return new Refusal(code, `${place}: ${first?.message}${more}`, { details: faults })
}

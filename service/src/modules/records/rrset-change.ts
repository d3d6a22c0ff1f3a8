import { domainToASCII } from 'node:url'
import {
  DnsFault,
  type DomainName,
  dataValue,
  faultsTogether,
  ownerName,
  parseType,
  placementFault,
  type RecordData,
  type RelativeName,
  type RrType,
  rdataToText,
  readOwner,
  readValue,
  removedValue,
  signingReason,
  ttlFault,
  typeToText,
  type WrittenValue,
} from '@zonewright/dns'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import type { DotlessName } from './forgotten-dots.ts'
import type { Warning } from './warnings.ts'

/** A requested change of one rrset, as it was received. */
export interface RequestedChange {
  readonly name: string
  readonly type: string
  readonly ttl?: number | undefined
  /** Values are texts as a caller wrote them, or data that was read from a zone file. */
  readonly ask: Ask<string | RecordData>
  /** The name was read from a zone file: it is in canonical form and in the zone. */
  readonly isCanonical?: true
}

/** Replaces the whole rrset (no records: deletes it), creates it if there is none, or adds and removes single values. */
export type Ask<Value = string> =
  | { readonly kind: 'replace'; readonly records: readonly Value[] }
  | { readonly kind: 'create'; readonly records: readonly Value[] }
  | { readonly kind: 'edit'; readonly add: readonly Value[]; readonly remove: readonly Value[] }

/** A change whose names and values are canonical and valid on their own. The plan decides whether it fits the zone. */
export interface RrsetChange {
  readonly name: string
  readonly type: string
  readonly ttl: number | undefined
  readonly ask: Ask
  /** The errors of the change unless the zone already has the name or value: existing ones are accepted as they are printed. */
  readonly ifNew?: readonly NewFault[]
}

/** An error that applies unless the zone already has what it is about: a value of the rrset, or, without `value`, the owner name. */
export interface NewFault {
  readonly fault: FaultDetail
  readonly value?: string
}

/** The change in canonical form, with the number of merged values and the names without a final dot; or its errors. */
export type ParsedChange =
  | { readonly change: RrsetChange; readonly duplicates: number; readonly dotless: readonly DotlessName[] }
  | { readonly faults: readonly FaultDetail[] }

/**
 * Parses one requested change for a zone. All errors are reported at once, each with its place below `path`.
 *
 * It makes all checks that do not need the zone's records: names, types, values, TTL (RFC 1034, 1035, 2181, 4592).
 */
export function parseChange(zone: string, requested: RequestedChange, path: ChangePath): ParsedChange {
  return withoutPauses(readChange(zone, requested, path))
}

/** The same with pauses. It stops once there are more errors than a refusal lists. */
export function* readChange(
  zone: string,
  requested: RequestedChange,
  path: ChangePath,
): Generator<undefined, ParsedChange> {
  const faults: FaultDetail[] = []
  const ifNew: NewFault[] = []
  const dotless: (RelativeName & { path: string })[] = []
  const origin = absolute(zone)
  const owner = requested.isCanonical
    ? { name: requested.name as DomainName, fault: undefined }
    : attempt(faults, path.name, () => readOwner(requested.name, origin, domainToASCII))
  const name = owner?.name
  if (owner?.fault && !isRemoval(requested.ask)) ifNew.push({ fault: { path: path.name, ...owner.fault } })
  const type = attempt(faults, path.type, () => parseType(requested.type))
  const misplaced =
    name === undefined || type === undefined ? [] : placementFaults(name, type, origin, path, isRemoval(requested.ask))
  faults.push(...misplaced, ...ttlFaults(requested.ttl, path.ttl))
  // Values of a type that cannot be written are not checked.
  if (misplaced.some(({ code }) => untouchable.has(code))) return { faults }
  let duplicates = 0
  const canonical: (readonly string[])[] = []
  // Not a generator per list, which took a quarter of the time of a small change.
  for (const { values, at, read } of type === undefined ? [] : valuesOf(requested.ask, type, origin, path)) {
    const parsed: string[] = []
    for (const [i, value] of values.entries()) {
      if (faults.length > Refusal.maxFaults) break
      const written = attempt(faults, `${at}/${i}`, () => read(value))
      if (written !== undefined) parsed.push(written.value)
      if (written?.fault) ifNew.push({ fault: { path: `${at}/${i}`, ...written.fault }, value: written.value })
      else for (const name of written?.relative ?? []) dotless.push({ ...name, path: `${at}/${i}` })
      yield
    }
    const unique = [...new Set(parsed)]
    duplicates += parsed.length - unique.length
    canonical.push(unique)
  }
  const ask = canonicalAsk(requested.ask, canonical)
  if (name !== undefined && type !== undefined) faults.push(...shapeFaults(type, ask, path))
  if (faults.length > 0 || name === undefined || type === undefined) return { faults }
  const target = { name: relativeToRoot(name), type: typeToText(type) }
  const change = { ...target, ttl: requested.ttl, ask }
  return {
    change: ifNew.length === 0 ? change : { ...change, ifNew },
    duplicates,
    dotless: dotless.map(({ path, ...relative }) => ({ ...target, ...relative, at: { path } })),
  }
}

/** The warnings that equal values were merged, for each change of a request that had equal values. */
export function duplicateWarnings(parsed: readonly ParsedChange[]): Warning[] {
  return parsed.flatMap((item) => {
    if (!('change' in item) || item.duplicates === 0) return []
    const { name, type } = item.change
    const values = item.duplicates === 1 ? '1 duplicate value was' : `${item.duplicates} duplicate values were`
    const message = `${name} ${type}: ${values} removed.`
    return [{ name, type, code: 'duplicates_merged' as const, message }]
  })
}

/** The owner name and type in a path, in canonical form. Throws the refusal, which names the error. */
export function parseTarget(zone: string, target: { name: string; type: string }): { name: string; type: string } {
  const faults: FaultDetail[] = []
  const parsed = readableTarget(zone, target, faults)
  if (parsed === undefined) throw Refusal.of(faults)
  return parsed
}

/** A target in canonical form. If it is invalid: undefined, and the error is added to `faults`. */
export function readableTarget(
  zone: string,
  target: { name: string; type: string },
  faults: FaultDetail[] = [],
): { name: string; type: string } | undefined {
  const name = attempt(faults, 'name', () => ownerName(target.name, absolute(zone), domainToASCII))
  const type = attempt(faults, 'type', () => parseType(target.type))
  return name === undefined || type === undefined ? undefined : { name: relativeToRoot(name), type: typeToText(type) }
}

/** The places of the parts of a change in the request. */
export interface ChangePath {
  readonly name: string
  readonly type: string
  readonly ttl: string
  readonly records: string
  readonly add: string
  readonly remove: string
}

/** The places of a change whose members are below one JSON pointer. */
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
 * Types that the caller is not allowed to change. Other types that are not allowed at a name are absent there, so removing them is not an error.
 */
const untouchable: ReadonlySet<string> = new Set(['service_owned', 'bad_type'])

function placementFaults(
  name: DomainName,
  type: RrType,
  origin: DomainName,
  path: ChangePath,
  isRemoval: boolean,
): FaultDetail[] {
  const fault = placementFault(name, type, origin)
  if (fault === undefined) return []
  // The zone may already have records of a signed zone. They may be deleted.
  const mayGo = !untouchable.has(fault.code) || signingReason(name, type, origin) !== undefined
  if (isRemoval && mayGo) return []
  return [{ path: path[fault.at], code: fault.code, message: fault.message }]
}

export function isRemoval(ask: Ask<unknown>): boolean {
  return ask.kind === 'edit' ? ask.add.length === 0 : ask.kind === 'replace' && ask.records.length === 0
}

function ttlFaults(ttl: number | undefined, path: string): FaultDetail[] {
  const fault = ttl === undefined ? undefined : ttlFault(ttl)
  return fault ? [{ path, ...fault }] : []
}

function shapeFaults(type: RrType, ask: Ask, path: ChangePath): FaultDetail[] {
  const records = ask.kind === 'edit' ? ask.add : ask.records
  const at = ask.kind === 'edit' ? path.add : path.records
  return faultsTogether(type, records).map((fault) => ({ path: at, ...fault }))
}

/** Values of a change, their places in the request, and how each is read. */
interface Values {
  readonly values: readonly (string | RecordData)[]
  readonly at: string
  readonly read: (value: string | RecordData) => WrittenValue
}

/** The lists of values of a change. */
function valuesOf(ask: Ask<string | RecordData>, type: RrType, origin: DomainName, path: ChangePath): Values[] {
  const read = (value: string | RecordData) =>
    typeof value === 'string' ? readValue(type, value, origin) : { value: dataValue(type, value) }
  if (ask.kind !== 'edit') return [{ values: ask.records, at: path.records, read }]
  const readRemoved = (value: string | RecordData) => ({
    value: typeof value === 'string' ? removedValue(type, value, origin) : rdataToText(type, value),
  })
  return [
    { values: ask.add, at: path.add, read },
    { values: ask.remove, at: path.remove, read: readRemoved },
  ]
}

/** The change with its values in canonical form, list by list. */
function canonicalAsk(ask: Ask<unknown>, [first = [], second = []]: readonly (readonly string[])[]): Ask {
  return ask.kind === 'edit' ? { kind: 'edit', add: first, remove: second } : { kind: ask.kind, records: first }
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

import { domainToASCII } from 'node:url'
import {
  type Adaptation,
  type DomainName,
  foreignFormat,
  isWithin,
  type LocatedRecord,
  maxNoted,
  type Noted,
  parseType,
  RrType,
  rdataToText,
  readZoneFile,
  rootName,
  signingReason,
  ttlBounds,
  typeToText,
  type ZoneFile,
  type ZoneFileWarning,
} from '@zonewright/dns'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import { lowestTtl, withAliases, withoutSpf } from './adapt-rrsets.ts'
import { type DotlessName, maxNamesOfFile } from './forgotten-dots.ts'
import type { StoredRrset } from './rrset.ts'
import {
  duplicateWarnings,
  type NewFault,
  type ParsedChange,
  pathBelow,
  type RrsetChange,
  readChange,
} from './rrset-change.ts'
import { byName, mostRrsets, newFaults, type ZoneSize, zoneFull } from './rules.ts'
import type { Warning } from './warnings.ts'

/** A zone file as changes, with the ignored records, the warnings and every error by line. */
export interface ParsedImport {
  readonly changes: readonly RrsetChange[]
  readonly left: LeftOut
  readonly warnings: readonly Warning[]
  /** Names in the data that may lack their final dot, by line. */
  readonly dotless: readonly DotlessName[]
  readonly faults: readonly LineFault[]
  /** The line on which the n-th change's rrset begins. */
  readonly lines: readonly number[]
}

/** The owner names of the changes that are valid only if the zone already has the name or value. */
export function doubtfulNames({ changes }: ParsedImport): string[] {
  return [...new Set(changes.filter(({ ifNew }) => ifNew !== undefined).map(({ name }) => name))]
}

/** Checks the import against the names of the zone that matter: a new invalid name or value is an error of its line. */
export function withoutDoubts(file: ParsedImport, existing: readonly StoredRrset[]): ParsedImport {
  const existingNames = byName(existing)
  const judged = file.changes.map((change, i) => {
    const { ifNew: _, ...certain } = change
    return { change: certain, line: file.lines[i] ?? 1, faults: newFaults(change, existingNames) }
  })
  const good = judged.filter(({ faults }) => faults.length === 0)
  const bad = judged.flatMap(({ line, faults }) => faults.map((fault): LineFault => ({ line, ...fault })))
  return {
    ...file,
    changes: good.map(({ change }) => change),
    lines: good.map(({ line }) => line),
    faults: firstFaults([...file.faults, ...bad].sort((a, b) => a.line - b.line)),
  }
}

/** What an import ignored and adapted: the first hundred of each, and the number of all. */
export interface LeftOut {
  readonly ignored: readonly Ignored[]
  readonly ignoredCount: number
  readonly adapted: readonly Adaptation[]
  readonly adaptedCount: number
}

/** A record that an import ignores. `line`: for JSON, the position of the record set, from 1. */
export interface Ignored {
  readonly line: number
  readonly name: string
  readonly type: string
  readonly reason: string
}

/** Types at the apex that are not imported, and why. */
const foreignAtApex = new Map<RrType, string>([
  [RrType.SOA, 'The service manages the SOA record.'],
  [RrType.NS, 'The service manages the NS records at the apex.'],
  [RrType.DS, 'The DS records of the zone itself belong to its parent zone.'],
])

/** The name at which service providers look for the Domain Connect page of a zone's DNS provider. */
export function discoveryName(origin: string): string {
  return `_domainconnect.${origin}`
}

/** An error of a zone file, by its line. */
type LineFault = FaultDetail & { readonly line: number }

/** Maximum number of records of one rrset that are read: several times the number that it can hold, because repeated values count once. */
const maxRecordsEach = 10_000

/**
 * Reads a zone file for a zone, with pauses: 16 MiB take seconds. What other systems write differently is adapted, and what cannot belong to
 * the zone is ignored. Both are listed. The service manages the SOA and the apex NS.
 *
 * Throws the refusal for a text that is not a zone file of this zone, and for one with more rrsets than the zone can have.
 */
export function* readImport(
  zone: ZoneSize & { readonly name: string },
  text: string,
  { hasOwnDiscovery = false }: { readonly hasOwnDiscovery?: boolean } = {},
): Generator<undefined, ParsedImport> {
  const format = foreignFormat(text)
  if (format !== undefined) throw Refusal.of([{ code: 'not_a_zone_file', message: format }])
  const most = mostRrsets(zone)
  const origin = absolute(zone.name)
  const file = yield* readZoneFile(text, {
    origin,
    defaultTtl: ttlBounds.usual,
    maxRrsets: most,
    maxRecordsEach,
    maxFaults: Refusal.maxFaults,
    dialects: {
      toAscii: domainToASCII,
      ignoring: (name, type) => ignoringReason(origin, name, type, hasOwnDiscovery),
    },
  })
  if (file.tooManyAt !== undefined)
    throw Refusal.of([...file.faults, { line: file.tooManyAt, ...zoneFull(zone, `${most + 1} or more`) }])
  refuseNothing(zone.name, file)
  const dotless: DotlessName[] = []
  const groups = new Map<string, LocatedRecord[]>()
  const { records: ofSpf, adapted } = yield* withoutSpf(file.records)
  const records = yield* withAliases(ofSpf, origin, adapted)
  for (const record of records) {
    addTo(groups, `${record.name} ${record.type}`, record)
    for (const name of record.relative ?? [])
      if (dotless.length < maxNamesOfFile) dotless.push({ ...targetOf(record), ...name, at: { line: record.line } })
    yield
  }
  const good: GoodRrset[] = []
  const faults: LineFault[] = [...file.faults]
  for (const records of groups.values()) {
    if (faults.length > Refusal.maxFaults) break
    const lowest = lowestTtl(records)
    if (lowest.adapted) adapted.add(lowest.adapted)
    const rrset = yield* readRrset(zone.name, records, lowest.ttl)
    if ('parsed' in rrset) good.push(rrset)
    else faults.push(...rrset.faults)
    yield
  }
  return {
    changes: good.map(({ parsed }) => parsed.change),
    left: leftOut(file, adapted),
    warnings: [...file.warnings.map(lineWarning), ...duplicateWarnings(good.map(({ parsed }) => parsed))],
    dotless,
    faults: firstFaults(faults.sort((a, b) => a.line - b.line)),
    lines: good.map(({ line }) => line),
  }
}

function targetOf({ name, type }: Pick<LocatedRecord, 'name' | 'type'>) {
  return { name: relativeToRoot(name), type: typeToText(type) }
}

function lineWarning({ name, type, ...warning }: ZoneFileWarning): Warning {
  return { ...warning, ...targetOf({ name, type }) }
}

/** Refuses a file without records of the zone: with `replace`, it would delete everything. */
function refuseNothing(zone: string, { records, faults, ignored, otherZone }: ZoneFile): void {
  if (records.length > 0 || faults.length > 0) return
  const origin = absolute(zone)
  if (otherZone !== undefined && ignored.first.every(({ name }) => !isWithin(name, origin))) {
    const message = `This is a zone file for ${relativeToRoot(otherZone)}. None of its records belongs to ${zone}. Choose the zone file of ${zone}.`
    throw Refusal.of([{ code: 'out_of_zone', message }])
  }
  if (ignored.count === 0)
    throw Refusal.of([
      { code: 'no_records', message: 'This file contains no records. Check that the zone was exported correctly.' },
    ])
}

function leftOut({ ignored, adapted }: ZoneFile, more: Noted<Adaptation>): LeftOut {
  return {
    ignored: ignored.first.map(({ name, ...rest }) => ({
      ...rest,
      name: name === rootName ? name : relativeToRoot(name),
    })),
    ignoredCount: ignored.count,
    adapted: [...adapted.first, ...more.first].sort((a, b) => a.line - b.line).slice(0, maxNoted),
    adaptedCount: adapted.count + more.count,
  }
}

/** The first errors of a file; if there are more, the last entry says so. */
function firstFaults(faults: readonly LineFault[]): readonly LineFault[] {
  const last = faults[Refusal.maxFaults]
  if (last === undefined || last.code === 'too_many_faults') return faults
  const message = `There are more errors. Only the first ${Refusal.maxFaults} are listed.`
  return [...faults.slice(0, Refusal.maxFaults), { line: last.line, code: 'too_many_faults', message }]
}

function addTo(groups: Map<string, LocatedRecord[]>, rrset: string, record: LocatedRecord): void {
  const group = groups.get(rrset)
  if (group === undefined) groups.set(rrset, [record])
  else group.push(record)
}

/** An rrset of a JSON import that is ignored; undefined: it is imported. */
export function ignoredAt(
  line: number,
  zone: string,
  target: { readonly name: string; readonly type: string },
  hasOwnDiscovery: boolean,
): Ignored | undefined {
  const reason = ignoringReason(absolute(zone), absolute(target.name), parseType(target.type), hasOwnDiscovery)
  return reason === undefined ? undefined : { line, ...target, reason }
}

/** Why records are left out: the service manages the SOA, the apex NS and the records of a signed zone; undefined: they are imported. */
function ignoringReason(
  origin: DomainName,
  name: DomainName,
  type: RrType,
  hasOwnDiscovery: boolean,
): string | undefined {
  const own = name === origin ? foreignAtApex.get(type) : undefined
  if (own !== undefined) return own
  const isDiscovery = (type === RrType.TXT || type === RrType.CNAME) && name === discoveryName(origin)
  if (isDiscovery && !hasOwnDiscovery)
    return 'This record sends service providers to the Domain Connect page of another DNS provider. Add it manually if you want it.'
  if (type === RrType.SOA) return 'An SOA record is allowed only at the apex, where the service manages it.'
  return signingReason(name, type, origin)
}

interface GoodRrset {
  readonly parsed: Extract<ParsedChange, { change: RrsetChange }>
  readonly line: number
}

const rrsetPath = pathBelow('')

function* readRrset(
  zone: string,
  records: readonly LocatedRecord[],
  ttl: number,
): Generator<undefined, GoodRrset | { faults: readonly LineFault[] }> {
  const [first] = records
  if (first === undefined) throw new Error('an rrset has records')
  const parsed = yield* readChange(
    zone,
    {
      name: first.name,
      type: typeToText(first.type),
      ttl,
      ask: { kind: 'replace', records: records.map(({ data }) => data) },
      isCanonical: true,
    },
    rrsetPath,
  )
  if ('change' in parsed) {
    const ifNew = newFaultsOf(records)
    const change = ifNew.length === 0 ? parsed.change : { ...parsed.change, ifNew }
    return { parsed: { ...parsed, change }, line: first.line }
  }
  return { faults: parsed.faults.map(({ path, ...fault }) => ({ ...fault, line: lineOf(records, path) })) }
}

/** The errors of an rrset's lines that apply unless the zone already has the name or value. */
function newFaultsOf(records: readonly LocatedRecord[]): NewFault[] {
  return records.flatMap(({ line, type, data, newFaults = [] }) =>
    newFaults.map(({ at, code, message }): NewFault => {
      const fault = { line, code, message }
      return at === 'data' ? { fault, value: rdataToText(type, data) } : { fault }
    }),
  )
}

/** The line of the record in an error's path, or else the first line of the rrset. */
function lineOf(records: readonly LocatedRecord[], path: string | undefined): number {
  const index = Number(/\/records\/(\d+)$/.exec(path ?? '')?.[1] ?? 0)
  return records[index]?.line ?? records[0]?.line ?? 0
}

import {
  type Notes,
  rrsetToWire,
  type WireDiff,
  type WireWarning,
  type WireWrittenDiff,
  type WireWrittenRrset,
} from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import { type FaultDetail, Faults, Refusal } from '#platform/errors.ts'
import { etagOf } from '#platform/http/etag.ts'
import type { Resolved } from './alias-records.ts'
import type { RecordAccess } from './record-access.ts'
import { keyOf, type RrsetMove, type Side, type StoredRrset } from './rrset.ts'
import type { ParsedChange, RrsetChange } from './rrset-change.ts'
import type { Warning } from './warnings.ts'
import type { ChangeResult } from './zone-draft.ts'

/** The result for one written rrset: the request, the rrset, the time of its last change, and the warnings. */
interface WrittenOne {
  readonly change: RrsetChange
  readonly rrset: StoredRrset
  readonly updatedAt: Date
  /** Its comment and labels, if the request sent some. */
  readonly notes?: Notes | undefined
  readonly warnings: readonly Warning[]
  /** What it publishes, if it is an ALIAS. */
  readonly resolved?: Resolved | undefined
}

/** The response to a write of one rrset that exists afterwards: 201 if it is new, otherwise 200. */
export function answerOne(
  access: RecordAccess,
  result: ChangeResult,
  { change, rrset, updatedAt, notes, warnings, resolved }: WrittenOne,
): Answer {
  const headers = headersOf(result)
  const [move] = result.moves
  const isNew = move?.before === null
  const whole = rrsetToWire({ ...rrset, managed: rrset.managed ?? false, updatedAt, resolved, ...notes })
  const { ttl, records } = givenBy(change, rrset)
  const written: WireWrittenRrset = access.mayRead(rrset)
    ? whole
    : { ...whole, records, ttl: isNew ? rrset.ttl : ttl, updated_at: move ? whole.updated_at : null }
  const body: WireWrittenRrset =
    warnings.length === 0 ? written : { ...written, warnings: warnings.slice(0, maxWarnings) }
  return { status: isNew || change.ask.kind === 'create' ? 201 : 200, body, headers }
}

/** The part of a changed rrset that the change itself set, without existing values and their TTL. */
function givenBy({ ttl, ask }: RrsetChange, after: { readonly records: readonly string[] }) {
  const given = new Set(ask.kind === 'edit' ? ask.add : ask.records)
  return { ttl: ttl ?? null, records: after.records.filter((record) => given.has(record)) }
}

/** All changes, or all of their errors at once. */
export function allOrRefuse(parsed: readonly ParsedChange[]): RrsetChange[] {
  const faults = new Faults()
  for (const item of parsed) if ('faults' in item) faults.addAll(item.faults)
  faults.refuseAny()
  return parsed.flatMap((item) => ('change' in item ? [item.change] : []))
}

/** Maximum number of warnings that a response lists. */
const maxWarnings = 1_000

/** The response to a write of many rrsets. */
export function bulkBody(
  access: RecordAccess,
  { version, serial, moves }: ChangeResult,
  sent: readonly RrsetChange[],
  warnings: readonly WireWarning[],
) {
  return {
    version,
    serial: serial % 2 ** 32,
    diff: diffFor(access, moves, sent),
    warnings: warnings.slice(0, maxWarnings),
  }
}

/** For rrsets that it cannot read, a caller sees only what it sent itself. */
function diffFor(access: RecordAccess, moves: readonly RrsetMove[], sent: readonly RrsetChange[]): WireWrittenDiff {
  const sentFor = new Map(sent.map((change) => [keyOf(change), change]))
  return {
    changes: moves.flatMap((move): WireWrittenDiff['changes'] => {
      const { name, type, before, after } = move
      if (access.mayRead(move)) return [{ name, type, before: sideToWire(before), after: sideToWire(after) }]
      const change = sentFor.get(keyOf(move))
      return change ? [{ name, type, before: null, after: after && givenBy(change, after) }] : []
    }),
  }
}

/** One side of a difference in the form of the API. */
export function sideToWire(side: Side): WireDiff['changes'][number]['after'] {
  return side && { ttl: side.ttl, records: [...side.records] }
}

export function headersOf(result: ChangeResult): Record<string, string> {
  return { etag: etagOf(result.version), 'zone-serial': String(result.serial % 2 ** 32) }
}

/** The errors of an import's plan, which name changes by number, on the lines of the file. Any other error is thrown again. */
export function faultsOnLines(error: unknown, lines: readonly number[]): FaultDetail[] {
  if (!(error instanceof Refusal) || error.details.length === 0) throw error
  return error.details.map(({ path, ...fault }) => ({ ...fault, line: lines[Number(path)] ?? 1 }))
}

import { type RrsetView, rrsetToWire, type WireDiff } from '@zonewright/contract'
import type { Caller } from '#platform/caller.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { Answer } from '#platform/http/call.ts'
import { etagOf } from '#platform/http/etag.ts'
import { mayRead } from './acme.ts'
import { type ParsedChange, type RrsetChange, refusalOf } from './rrset-change.ts'
import type { RrsetMove, Side, StoredRrset } from './rules.ts'
import type { ChangeResult } from './zone-draft.ts'

/** What a write of one rrset answers: 201 when it is new, 204 when it is gone, else 200. */
export function answerOne(caller: Caller, result: ChangeResult, change: RrsetChange, updatedAt: Date): Answer {
  const rrset = result.results[0]
  const headers = headersOf(result)
  if (!rrset) return { status: 204, headers }
  const isNew = result.moves[0]?.before === null
  return {
    status: isNew || change.ask.kind === 'create' ? 201 : 200,
    body: rrsetToWire(writtenView(caller, rrset, change, updatedAt)),
    headers,
  }
}

/** The rrset as the caller may see it: of values that it may not read, those that it sent. */
function writtenView(caller: Caller, rrset: StoredRrset, { ask }: RrsetChange, updatedAt: Date): RrsetView {
  const all = ask.kind !== 'edit' || mayRead(caller, rrset)
  const records = all ? rrset.records : rrset.records.filter((record) => ask.add.includes(record))
  return { ...rrset, records, managed: rrset.managed ?? false, updatedAt }
}

/** All the changes, or every fault of all of them at once. */
export function allOrRefuse(parsed: readonly ParsedChange[]): RrsetChange[] {
  const faults = parsed.flatMap((item): readonly FaultDetail[] => ('faults' in item ? item.faults : []))
  if (faults.length > 0) throw refusalOf(faults)
  return parsed.flatMap((item) => ('change' in item ? [item.change] : []))
}

/** What a write of many rrsets answers. */
export function bulkBody(caller: Caller, result: ChangeResult, sent: readonly RrsetChange[]) {
  return { version: result.version, serial: result.serial % 2 ** 32, diff: diffFor(caller, result.moves, sent) }
}

/** Of rrsets that it may not read, a caller sees only what it sent itself. */
function diffFor(caller: Caller, moves: readonly RrsetMove[], sent: readonly RrsetChange[]): WireDiff {
  const named = new Set(sent.map(({ name, type }) => `${name} ${type}`))
  const shown = moves.filter((move) => mayRead(caller, move) || named.has(`${move.name} ${move.type}`))
  return {
    changes: shown.map((move) => ({
      name: move.name,
      type: move.type,
      before: mayRead(caller, move) ? sideToWire(move.before) : null,
      after: sideToWire(move.after),
    })),
  }
}

/** One side of a difference as the API shows it. */
export function sideToWire(side: Side): WireDiff['changes'][number]['after'] {
  return side && { ttl: side.ttl, records: [...side.records] }
}

export function headersOf(result: ChangeResult): Record<string, string> {
  return { etag: etagOf(result.version), 'zone-serial': String(result.serial % 2 ** 32) }
}

/** The faults of an import's plan, which speak of changes by their number, on the lines of the file. Anything else is thrown on. */
export function faultsOnLines(error: unknown, lines: readonly number[]): FaultDetail[] {
  if (!(error instanceof Refusal) || error.details.length === 0) throw error
  return error.details.map(({ path, ...fault }) => ({ ...fault, line: lines[Number(path)] ?? 1 }))
}

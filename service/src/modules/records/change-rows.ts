import type { RrsetMove } from './rrset.ts'
import { bytesOf } from './rules.ts'
import type { ChangeRows } from './store.ts'
import type { ZoneDraft } from './zone-draft.ts'

/** The rows that the changes of drafts write to zones, record sets and both histories. */
export function rowsOf(drafts: readonly ZoneDraft[]): ChangeRows {
  // As text, because JSON.stringify would format the date again for each of thousands of rows.
  const outcomes = drafts.map(({ zone, outcome }) => ({ zoneId: zone.id, at: zone.now.toISOString(), outcome }))
  return {
    places: drafts.map(({ place }) => place),
    history: drafts.flatMap(historyOf),
    kept: outcomes.flatMap(({ zoneId, at, outcome }) =>
      outcome.flatMap(({ after }) => (after ? [{ zoneId, at, ...after }] : [])),
    ),
    gone: outcomes.flatMap(({ zoneId, outcome }) =>
      outcome.flatMap(({ name, type, after }) => (after ? [] : [{ zoneId, name, type }])),
    ),
    // Only published zones have a history for secondaries.
    journal: drafts.filter(({ zone }) => zone.state === 'live').flatMap(journalOf),
  }
}

function historyOf({ zone, steps }: ZoneDraft): ChangeRows['history'] {
  return steps.map(({ actor: { kind, name, id, source }, version, serial, moves }) => ({
    zone_id: zone.id,
    version,
    serial,
    at: zone.now,
    actor_kind: kind,
    actor_name: name,
    actor_id: id,
    source,
    changes_count: moves.length,
    changes: moves,
  }))
}

function journalOf({ zone, steps }: ZoneDraft): ChangeRows['journal'] {
  return steps.map(({ fromSerial, serial, moves }) => ({
    zone_id: zone.id,
    from_serial: fromSerial,
    to_serial: serial,
    removed: sideOf(moves, 'before'),
    added: sideOf(moves, 'after'),
    bytes: moves.reduce((sum, { name, before, after }) => sum + bytesOf(name, before) + bytesOf(name, after), 0),
  }))
}

function sideOf(moves: readonly RrsetMove[], which: 'before' | 'after') {
  return moves.flatMap(({ name, type, [which]: rrset }) =>
    rrset ? [{ name, type, ttl: rrset.ttl, records: rrset.records }] : [],
  )
}

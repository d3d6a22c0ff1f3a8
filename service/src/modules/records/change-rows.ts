import type { AliasChanges } from '#modules/alias/index.ts'
import { bytesOf } from './rules.ts'
import type { ChangeRows } from './store.ts'
import type { ZoneDraft } from './zone-draft.ts'

/** The rows that the changes of drafts write to zones, record sets and both histories. */
export function rowsOf(drafts: readonly ZoneDraft[], aliases: AliasChanges): ChangeRows {
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
    journal: drafts.flatMap((draft) => journalOf(draft, aliases)),
  }
}

function historyOf({ zone, steps }: ZoneDraft): ChangeRows['history'] {
  const shown = steps.filter(({ moves }) => moves.length > 0)
  return shown.map(({ actor: { kind, name, id, source }, version, serial, moves }) => ({
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

/**
 * The rrsets that each step removes and adds, as they are published: for an ALIAS, the addresses of its target. Only published zones have
 * this history, which is for secondaries; the ALIAS records of others are still noted in `aliases`.
 */
function journalOf({ zone, steps }: ZoneDraft, aliases: AliasChanges): ChangeRows['journal'] {
  const isLive = zone.state === 'live'
  return steps.flatMap(({ fromSerial, serial, published: moves }) => {
    const [removed, added]: [PublishedSide, PublishedSide] = [[], []]
    for (const move of moves) {
      const { name, type, before, after } = move
      if (type === 'ALIAS') {
        const published = aliases.move({ zoneId: zone.id, name, before, after })
        if (isLive) {
          removed.push(...published.removed)
          added.push(...published.added)
        }
        continue
      }
      if (!isLive) continue
      if (before) removed.push({ name, type, ttl: before.ttl, records: before.records })
      if (after) added.push({ name, type, ttl: after.ttl, records: after.records })
    }
    if (!isLive) return []
    const bytes = [...removed, ...added].reduce((sum, rrset) => sum + bytesOf(rrset.name, rrset), 0)
    return [{ zone_id: zone.id, from_serial: fromSerial, to_serial: serial, removed, added, bytes }]
  })
}

type PublishedSide = { name: string; type: string; ttl: number; records: readonly string[] }[]

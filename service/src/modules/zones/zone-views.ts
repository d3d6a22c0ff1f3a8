import { type DelegationState, type ZoneView, zoneChangeToWire, zoneToWire } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { Answer } from '#http/call.ts'
import { type Caller, holds } from '#platform/caller.ts'
import { etagOf } from '#platform/http/etag.ts'
import type { Db } from '#platform/postgres/index.ts'
import { notesOfZones } from './describe-zone.ts'
import { standingsOf } from './standing.ts'
import { readZone, type ZoneRow } from './store.ts'
import { challengeOf } from './verification-rules.ts'
import { type Verification, verificationsOf } from './verification-store.ts'
import { unicodeName } from './zone-name.ts'

/** What showing a zone needs from other modules. */
export interface ZoneViewParts {
  readonly nameservers: readonly string[]
  /** Of these zones, those whose current serial every nameserver serves. */
  readonly replicated: (db: Db, zoneIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** The delegation states of these zones. */
  readonly delegations: (db: Db, zoneIds: readonly string[]) => Promise<ReadonlyMap<string, DelegationState>>
}

/** Zones as an account sees them. */
export interface ZoneViews {
  of(db: Db, accountId: string, zones: readonly ZoneRow[]): Promise<ZoneView[]>
  /**
   * A response with one zone in its current state; for a key without `records:read`, only what the key has changed.
   * Throws `not_found` if the zone no longer exists.
   */
  answer(db: Db, caller: Caller, zoneId: string, status: number): Promise<Answer>
}

export function zoneViews({ nameservers, replicated, delegations }: ZoneViewParts): ZoneViews {
  const of: ZoneViews['of'] = async (db, accountId, zones) => {
    const ids = zones.map(({ id }) => id)
    // Only the owner sees the proof of control.
    const own = zones.filter((zone) => zone.accountId === accountId).map(({ id }) => id)
    const [served, states, verifications, notes, standings] = await Promise.all([
      replicated(db, ids),
      delegations(db, ids),
      verificationsOf(db, own),
      notesOfZones(db, ids),
      standingsOf(db, ids),
    ])
    return zones.map((zone) => ({
      ...zone,
      ...notes.get(zone.id),
      ...(standings.get(zone.id) ?? { expiresAt: null, hasDs: null, presets: [] }),
      unicodeName: unicodeName(zone.name),
      role: zone.accountId === accountId ? 'owner' : 'manager',
      replicated: served.has(zone.id),
      delegation: states.get(zone.id) ?? 'waiting',
      nameservers,
      verification: viewOf(verifications.get(zone.id), nameservers),
    }))
  }
  return {
    of,
    answer: async (db, caller, zoneId, status) => {
      const zone = await readZone(db, zoneId)
      const [view] = zone ? await of(db, caller.accountId, [zone]) : []
      if (view === undefined) throw noSuchZone()
      if (!holds(caller, 'records:read')) return { status, body: zoneChangeToWire(view) }
      return { status, body: zoneToWire(view), headers: { etag: etagOf(view.version) } }
    },
  }
}

function viewOf(verification: Verification | undefined, nameservers: readonly string[]): ZoneView['verification'] {
  return (
    verification && { ...verification, ...challengeOf(verification.name, verification.token, nameservers[0] ?? '') }
  )
}

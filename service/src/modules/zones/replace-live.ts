import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { delegateAll, type ParentCut } from './delegate.ts'
import { loseZones, type TakingParts } from './lose-zones.ts'
import { publishZone } from './publish-zone.ts'
import { surroundingsOf, type ZoneRow } from './store.ts'
import { endVerification } from './verification-store.ts'

/** Who has a name from now on, and who had it. */
export interface Replacement {
  /** The zone that was deleted; undefined if no zone of the name was live. */
  readonly live: ZoneRow | undefined
  /** The zone that was pending until now. */
  readonly zone: ZoneRow
  readonly origin: ZoneRow['origin']
}

/**
 * Makes a pending zone live in place of another account's zone, which is deleted together with the zones below that depended
 * on it. If the account also has the zone above the name, that zone delegates to it. Everything of the name must be locked
 * (`lockNames`, with the account).
 */
export async function replaceLive(
  tx: Tx,
  parts: TakingParts,
  actor: Actor,
  { live, zone, origin }: Replacement,
): Promise<ZoneRow> {
  const { name } = zone
  const { parent, others } = await surroundingsOf(tx, name, zone.accountId)
  const ended = await loseZones(tx, parts, actor, { name, live, others })
  await endVerification(tx, zone.id)
  const [before, after] = [live?.parentId ?? null, parent?.isOwn ? parent.id : null]
  const row = await publishZone(tx, { id: zone.id, name, origin, parentId: after })
  const moved: ParentCut[] = []
  if (before !== after && before !== null) moved.push({ parentId: before, name, present: false })
  if (before !== after && after !== null) moved.push({ parentId: after, name, present: true })
  await delegateAll(tx, parts.delegate, actor, [...moved, ...ended])
  return row
}

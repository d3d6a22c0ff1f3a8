import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import type { Delegate } from './delegate.ts'
import { deleteZone } from './delete-zone.ts'
import { publishZone } from './publish-zone.ts'
import { readZone, surroundingsOf, type ZoneRow } from './store.ts'
import { endVerification } from './verification-store.ts'

/** Who has a name from now on, and who had it. */
export interface Replacement {
  /** Deleted; undefined: nobody had the name live. */
  readonly live: ZoneRow | undefined
  /** Pending so far. */
  readonly zone: ZoneRow
  readonly origin: ZoneRow['origin']
}

/**
 * Makes a pending zone live in the place of somebody else's, which goes as if it were deleted. The zone here above the name
 * delegates to it if both are of one account. Everything of the name must be locked (`lockName`).
 */
export async function replaceLive(
  tx: Tx,
  { delegate }: { readonly delegate: Delegate },
  actor: Actor,
  { live, zone, origin }: Replacement,
): Promise<ZoneRow> {
  // What the zone above has of it is settled once, below: one call a zone and transaction.
  if (live !== undefined) await deleteZone(tx, actor, live.id, async () => undefined)
  await endVerification(tx, zone.id)
  const { parent } = await surroundingsOf(tx, zone.name, zone.accountId)
  const [before, after] = [live?.parentId ?? null, parent?.isOwn ? parent.id : null]
  const row = await publishZone(tx, { id: zone.id, name: zone.name, origin, parentId: after })
  if (before !== after) {
    const parentBefore = before === null ? undefined : await readZone(tx, before)
    if (parentBefore?.state === 'live')
      await delegate(tx, actor, parentBefore.id, [{ name: zone.name, present: false }])
    if (after !== null) await delegate(tx, actor, after, [{ name: zone.name, present: true }])
  }
  return row
}

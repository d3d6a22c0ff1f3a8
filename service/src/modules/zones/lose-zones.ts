import { type MailContext, tellAccount } from '#modules/accounts/index.ts'
import { zonesLostBelow } from '#modules/mail/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { Delegate, ParentCut } from './delegate.ts'
import { deleteLocked } from './delete-zone.ts'
import { lostWith, type OthersZone } from './rules.ts'
import { readZones, type ZoneRow } from './store.ts'
import { markLost, standingZones } from './taking-store.ts'
import { namesAbove } from './zone-name.ts'

/** What making a name live needs, because other accounts may lose zones. */
export interface TakingParts extends MailContext {
  readonly delegate: Delegate
}

/** The actor in the audit log of an account that loses zones. It does not reveal which account has the name now. */
export const takeover = actorNamed('system', 'takeover')

/**
 * Deletes the zones of other accounts that conflict with a name that goes live: the live zone of that name, and live zones below it that
 * have no proof of their own, because they depended on a zone above them in the same account. The owners of the latter are notified.
 * These deletions cannot be undone, nor can earlier deletions of such zones.
 *
 * Everything must be locked (`lockNames`, with the account). Returns the delegations to zones below that end with them.
 */
export async function loseZones(
  tx: Tx,
  parts: MailContext,
  actor: Actor,
  { name, live, others }: { name: string; live?: ZoneRow | undefined; others: readonly OthersZone[] },
): Promise<readonly ParentCut[]> {
  if (live === undefined && others.length === 0) return []
  const lost = lostWith(name, others, await standingBetween(tx, name, others))
  const ids = lost.map(({ id }) => id)
  const below = await readZones(tx, ids)
  // In the order in which held events are locked.
  const gone = [...(live ? [live] : []), ...below].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const zone of gone) await deleteLocked(tx, actor, zone)
  await markLost(tx, [...gone.map(({ id }) => id), ...ids])
  for (const [accountId, zones] of Map.groupBy(below, (zone) => zone.accountId)) {
    const names = zones.map((zone) => zone.name).sort()
    await tellAccount(tx, parts, accountId, zonesLostBelow({ site: parts.site, above: name, zones: names }))
  }
  return below.flatMap(({ name, parentId }) => (parentId === null ? [] : [{ parentId, name, present: false }]))
}

/** The zones between a name and other accounts' zones below it that were proved on their own. */
async function standingBetween(tx: Tx, name: string, others: readonly OthersZone[]) {
  const between = others.flatMap((zone) => namesAbove(zone.name).filter((above) => above.endsWith(`.${name}`)))
  const accountIds = new Set(others.map(({ accountId }) => accountId))
  return between.length > 0 ? standingZones(tx, [...new Set(between)], [...accountIds]) : []
}

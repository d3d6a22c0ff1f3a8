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

/** What making a name live needs: others may lose zones by it. */
export interface TakingParts extends MailContext {
  readonly delegate: Delegate
}

/** Who takes zones from an account, as its audit log says it: in whose account the name went live is nothing that it is told. */
export const takeover = actorNamed('system', 'takeover')

/**
 * Deletes what a name that goes live in an account takes from others: the zone that had it live, and the zones below it that
 * were live because a zone above them was their account's, and have no proof of their own. For these their owners are told.
 * None of them can be had back by undoing its deletion, nor what had been deleted of them before.
 *
 * Everything is locked (`lockNames`, with the account). Returns the delegations to zones below that end with them.
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

/** What the owners of zones below a name have between it and them that was proved by itself. */
async function standingBetween(tx: Tx, name: string, others: readonly OthersZone[]) {
  const between = others.flatMap((zone) => namesAbove(zone.name).filter((above) => above.endsWith(`.${name}`)))
  const accountIds = new Set(others.map(({ accountId }) => accountId))
  return between.length > 0 ? standingZones(tx, [...new Set(between)], [...accountIds]) : []
}

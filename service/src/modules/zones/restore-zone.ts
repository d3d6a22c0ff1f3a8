import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { ZoneOwner } from './create-zone.ts'
import { delegateAll } from './delegate.ts'
import {
  cutsToMend,
  type DeletedZone,
  lockDeleted,
  lockFormerKeys,
  returnToScopes,
  unreleaseSubdomain,
} from './deleted-store.ts'
import { loseZones, type TakingParts, takeover } from './lose-zones.ts'
import { publishZone } from './publish-zone.ts'
import { maxFreeSubdomains, mayRestore, undoDays } from './rules.ts'
import { catalogName, refuseServiceName } from './service-names.ts'
import { type CountedSurroundings, countedSurroundingsOf, markPending, type ZoneRow } from './store.ts'
import { startVerification } from './verification-store.ts'

/**
 * Undoes the deletion of a zone within seven days: its id, records, managers, catalog label and sequence of serials are as before.
 * It returns to the scopes of the keys that covered it and are still valid. Undoing proves nothing: other accounts that wait for the name keep
 * their challenges.
 */
export async function restoreZone(
  tx: Tx,
  parts: TakingParts,
  { actor, accountId, serviceDomains }: ZoneOwner,
  zoneId: string,
): Promise<ZoneRow> {
  await lockAccount(tx, accountId) // so that its zones can be counted
  await lockFormerKeys(tx, zoneId)
  const zone = await lockDeleted(tx, accountId, zoneId, undoDays)
  if (zone === undefined)
    throw new Refusal('not_found', `This account has not deleted a zone with this id in the last ${undoDays} days.`)
  // A zone that the operator added may have a name of the service, but never that of the catalog zone.
  refuseServiceName(zone.name, zone.isVouched ? [catalogName] : serviceDomains)
  const around = await countedSurroundingsOf(tx, zone.name, accountId)
  mayRestore(zone, around)
  const row = await bringBack(tx, parts, actor, zone, around)
  const keys = await returnToScopes(tx, row.id)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'zone.restored',
    zone: row,
    summary: `The deletion of zone ${row.name} was undone${keys === 0 ? '' : keys === 1 ? '. 1 API key covers it again' : `. ${keys} API keys cover it again`}`,
    reference: { version: row.version, serial: row.serial },
  })
  return row
}

async function bringBack(
  tx: Tx,
  parts: TakingParts,
  actor: Actor,
  zone: DeletedZone,
  around: CountedSurroundings,
): Promise<ZoneRow> {
  if (!zone.wasLive) {
    await startVerification(tx, zone.id)
    return markPending(tx, zone.id)
  }
  const ended = await loseZones(tx, parts, takeover, { name: zone.name, others: around.others })
  const row = await publishZone(tx, zone)
  if (zone.origin === 'claimed' && (await unreleaseSubdomain(tx, row)) > maxFreeSubdomains)
    throw new Refusal(
      'subdomain_limit',
      `An account can have at most ${maxFreeSubdomains} free subdomains. Delete one first.`,
    )
  const begun = zone.parentId === null ? [] : [{ parentId: zone.parentId, name: row.name, present: true }]
  await delegateAll(tx, parts.delegate, actor, [...begun, ...ended])
  // Zones below it that were added or deleted while it was deleted.
  const cuts = await cutsToMend(tx, row.id)
  if (cuts.length > 0) await parts.delegate(tx, actor, row.id, cuts)
  return row
}

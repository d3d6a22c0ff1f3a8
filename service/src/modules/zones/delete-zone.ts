import { recordAudit } from '#modules/audit/index.ts'
import { publish, releaseForDeletion } from '#modules/events/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Tx, wakeAfterCommit } from '#platform/db.ts'
import { insertMove, lockZone, markDeleted } from './store.ts'

/**
 * Deletes a zone: out of the catalog, so that every nameserver refuses it within seconds, and out of every key's scope.
 *
 * The row stays for seven days, so that it can be undone and so that its serials never go backwards.
 * Returns false when there is no such zone.
 */
export async function deleteZone(tx: Tx, actor: Actor, zoneId: string): Promise<boolean> {
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) return false
  await markDeleted(tx, zone.id)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.deleted',
    zone,
    summary: `Zone ${zone.name} was deleted`,
    reference: { version: zone.version, serial: zone.serial },
  })
  if (zone.state !== 'live') return true
  await insertMove(tx, zone, false)
  await releaseForDeletion(tx, zone.id)
  await publish(tx, {
    type: 'zone.deleted',
    recipients: zone.recipients,
    zoneId: zone.id,
    zoneName: zone.name,
    held: null,
    data: { zone: { id: zone.id, name: zone.name } },
  })
  wakeAfterCommit(tx, 'catalog_changed')
  return true
}

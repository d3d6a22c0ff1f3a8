import { recordAudit } from '#modules/audit/index.ts'
import { publish, releaseForDeletion } from '#modules/events/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type IfMatch, refuseMoved } from '#platform/http/etag.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type Delegate, delegateAll } from './delegate.ts'
import { lockZone, markDeleted, moveStatement, type ZoneRow } from './store.ts'
import { markLost } from './taking-store.ts'
import { contestGraceHours } from './verification-rules.ts'
import { contestOf, endVerification } from './verification-store.ts'

/**
 * Deletes a zone. It leaves the catalog, so that every nameserver refuses it within seconds, leaves every key's scope, and the
 * zone here that delegates to it stops doing so.
 *
 * The row stays for seven days so that the deletion can be undone. If the zone was contested, the deletion cannot be undone: the
 * challenger gets the name at the next check. Returns false if the zone does not exist; throws
 * `precondition_failed` if its version is none of `ifMatch`.
 */
export async function deleteZone(
  tx: Tx,
  actor: Actor,
  zoneId: string,
  delegate: Delegate,
  ifMatch?: IfMatch,
): Promise<boolean> {
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) return false
  refuseMoved(ifMatch, zone.version)
  const contest = await contestOf(tx, zone.id, contestGraceHours)
  await deleteLocked(tx, actor, zone)
  if (contest?.liveZoneId === zone.id) await markLost(tx, [zone.id])
  const { name, parentId, state } = zone
  if (state === 'live' && parentId !== null)
    await delegateAll(tx, delegate, actor, [{ parentId, name, present: false }])
  return true
}

/** The same for a locked zone, except for the delegation to it, which the caller removes. */
export async function deleteLocked(tx: Tx, actor: Actor, zone: ZoneRow): Promise<void> {
  await markDeleted(tx, zone.id)
  await endVerification(tx, zone.id)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.deleted',
    zone,
    summary: `Zone ${zone.name} was deleted`,
    reference: { version: zone.version, serial: zone.serial },
  })
  if (zone.state === 'live') await unpublish(tx, zone)
}

async function unpublish(tx: Tx, zone: ZoneRow): Promise<void> {
  await moveStatement(zone, false).execute(tx)
  await releaseForDeletion(tx, zone.id)
  await publish(tx, {
    type: 'zone.deleted',
    recipients: zone.recipients,
    zoneId: zone.id,
    zoneName: zone.name,
    held: null,
    data: { zone: { id: zone.id, name: zone.name } },
  })
  tx.wakeAfterCommit('catalog_changed')
}

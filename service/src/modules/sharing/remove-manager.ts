import { recordAudit } from '#modules/audit/index.ts'
import { lockZone } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import { deleteManager, withdrawInvitation } from './store.ts'

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Ends somebody's part in a zone: its owner removes a manager or takes an invitation back, a manager leaves. Access, key
 * scope and events end with the commit.
 */
export async function removeManager(
  tx: Tx,
  actor: Actor,
  { callerId, zoneId, whom }: { callerId: string; zoneId: string; whom: string },
): Promise<void> {
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) throw noSuchZone()
  if (zone.accountId !== callerId && whom !== callerId)
    throw new Refusal('forbidden', 'Only the owner of a zone removes its managers; a manager may leave.')
  const isGone = uuidShape.test(whom)
    ? await deleteManager(tx, zone.id, whom.toLowerCase())
    : await withdrawInvitation(tx, zone.id, whom.toLowerCase())
  if (!isGone) throw new Refusal('not_found', 'This zone has no such manager, and nobody of that address is invited.')
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'manager.removed',
    zone,
    summary:
      whom === callerId ? `${actor.name} no longer manages ${zone.name}` : `A manager of ${zone.name} was removed`,
    reference: { manager: whom },
  })
}

import type { NewEvent } from '#modules/events/index.ts'
import type { ZoneRow } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { RrsetMove } from './rrset.ts'

/**
 * `zone.records_changed` (specification, "Data shapes"): every changed rrset in its current form.
 *
 * It is held until every nameserver serves the serial. A pending zone is not served, so its event is released immediately.
 */
export function recordsChanged(
  zone: ZoneRow,
  { serial, moves, actor }: { serial: number; moves: readonly RrsetMove[]; actor: Actor },
): NewEvent {
  const changes = moves.map(({ name, type, before, after }) => ({
    name,
    type,
    // The event of a deleted rrset has its last TTL.
    ttl: (after ?? before)?.ttl ?? 0,
    records: after?.records ?? [],
  }))
  return {
    type: 'zone.records_changed',
    recipients: [zone.accountId],
    alsoManagers: true,
    zoneId: zone.id,
    zoneName: zone.name,
    serial,
    requestId: actor.requestId,
    held: zone.state === 'live' ? 'serial' : null,
    data: { zone: { id: zone.id, name: zone.name }, serial: serial % 2 ** 32, replicated: false, changes },
  }
}

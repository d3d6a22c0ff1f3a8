import type { WireAuditEntry } from '@zonewright/contract'
import type { PaletteLink } from './palette-entries.ts'
import { paths } from './paths.ts'

/** The page of what an entry of the audit log is about; undefined if there is none. */
export function auditLink({
  action,
  reference,
  zone_id: zoneId,
}: Pick<WireAuditEntry, 'action' | 'reference' | 'zone_id'>): PaletteLink | undefined {
  // Deleted objects have no page of their own.
  if (action === 'zone.deleted') return paths.deletedZones()
  if (action === 'webhook.deleted' || reference === null) return undefined
  const { kind, id } = reference
  switch (kind) {
    case 'version':
      return zoneId === null ? undefined : paths.history(zoneId, id)
    case 'order':
      return paths.order(id)
    case 'key':
      return paths.keys(id)
    case 'endpoint':
      return paths.webhook(id)
    case 'domain':
      return paths.domain(id)
    case 'zone':
      return paths.zone(id)
    default:
      // A later version of the service may name other kinds.
      return undefined
  }
}

import { csvOf } from './csv.ts'
import type { ListedZone } from './zone-list.ts'

/** Zones as a table. */
export function zonesAsCsv(zones: readonly ListedZone[]): string {
  return csvOf(zones, {
    name: ({ name }) => name,
    unicode_name: ({ unicode_name: name }) => name,
    state: ({ state }) => state,
    delegation: ({ delegation }) => delegation.state,
    parent_ds: ({ dnssec }) => dnssec.parent_ds,
    expires_at: ({ expires_at: at }) => at,
    rrset_count: ({ rrset_count: count }) => count,
    role: ({ role }) => role,
    labels: ({ labels = [] }) => labels.join(' '),
    comment: ({ comment = '' }) => comment,
    presets: ({ presets }) => presets.join(' '),
    created_at: ({ created_at: at }) => at,
  })
}

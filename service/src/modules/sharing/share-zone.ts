import { noSuchZone } from '#http/authorise.ts'
import { zoneInvitation } from '#modules/mail/index.ts'
import { lockZone, type ZoneRow } from '#modules/zones/index.ts'
import { Sharing } from './sharing.ts'

/** A zone's managers can change its records and see its history, and get its events. */
export const zoneSharing = new Sharing<ZoneRow>({
  word: 'zone',
  tables: {
    things: 'zones',
    managers: 'zone_managers',
    invitations: 'zone_invitations',
    scopes: 'api_key_zones',
    id: 'zone_id',
  },
  lock: (tx, { id }) => lockZone(tx, id),
  noSuch: noSuchZone,
  audited: (zone) => ({ zone }),
  invitation: ({ name, ...about }) => zoneInvitation({ zone: name, ...about }),
})

import type { EventType } from './event-types.ts'
import type { OrderStatus, WireOrder } from './orders.ts'

/** Every name in a sample is this one or below it. RFC 6761 reserves `invalid`, so no zone or domain can have a name like this. */
export const sampleName = 'sample.zonewright.invalid'

/** The nil UUID (RFC 9562): no zone has it. */
const zone = { id: '00000000-0000-0000-0000-000000000000', name: sampleName }

const day = (n: number): string => `2026-01-0${n}T12:00:00.000Z`

function orderWith(status: OrderStatus, changed: Partial<WireOrder> = {}): { order: WireOrder } {
  return {
    order: {
      id: `ord_${'0'.repeat(32)}`,
      kind: 'register',
      name: sampleName,
      years: 1,
      status,
      amount_kobo: 1_500_000,
      credit_kobo: 0,
      promo_code: '',
      promo_kobo: 0,
      client_email: `client@${sampleName}`,
      last_error: '',
      created_at: day(1),
      paid_at: day(2),
      finished_at: day(3),
      ...changed,
    },
  }
}

const refused = { last_error: 'The registry refused the order (sample).' }

const samples: { readonly [Type in EventType]: object } = {
  'zone.created': { zone },
  'zone.deleted': { zone },
  'zone.records_changed': {
    zone,
    serial: 1_767_268_800,
    replicated: true,
    changes: [
      { name: `www.${sampleName}`, type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.2'] },
      { name: `old.${sampleName}`, type: 'CNAME', ttl: 300, records: [] },
    ],
  },
  'zone.delegation_changed': {
    zone,
    state: 'live',
    previous_state: 'waiting',
    parent_nameservers: [`ns1.${sampleName}`, `ns2.${sampleName}`],
    registry_nameservers: [`ns1.${sampleName}`, `ns2.${sampleName}`],
  },
  'order.paid': orderWith('processing', { finished_at: '' }),
  'order.completed': orderWith('completed'),
  'order.failed': orderWith('failed', refused),
  'order.cancelled': orderWith('cancelled', { paid_at: '' }),
  'order.refunded': orderWith('refunded', refused),
  'order.credited': orderWith('credited', refused),
  ping: {},
}

/**
 * `data` of a sample event: exactly the shape of a real one, about a zone and an order that do not exist.
 *
 * Names are `sample.zonewright.invalid` or names below it, the zone's id is the nil UUID and the order's id is all zeros, so that
 * they match nothing that a receiver knows.
 */
export function sampleOf(type: EventType): object {
  return samples[type]
}

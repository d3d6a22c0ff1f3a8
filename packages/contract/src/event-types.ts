import { z } from 'zod'
import { delegationStateSchema } from './delegation.ts'
import { orderSchema } from './orders.ts'

/** Every event type of the specification, in its order, with the sentence that explains it. */
export const eventTypes = {
  'zone.created': 'A zone that was verified, bought, claimed, added or restored is live on every nameserver.',
  'zone.deleted':
    'The owner deleted the zone. The nameservers stop serving it within seconds. The deletion of a pending zone has no event.',
  'zone.records_changed': 'Records changed through the dashboard, the API, a preset, an import or a restore.',
  'zone.delegation_changed': 'The delegation state of the zone changed, for example from waiting to live.',
  'order.paid': 'An order was paid. The service now sends it to the registry.',
  'order.completed': 'The domain was registered or renewed, or its transfer has started.',
  'order.failed': 'The registry refused the order. The payment is being returned.',
  'order.cancelled':
    'The order was closed without payment, or the registry refused an order that a promo code paid in full. If the order used a promo code, the code can be used again.',
  'order.refunded': 'The payment for a failed order was refunded to the card.',
  'order.credited': 'The payment for a failed order was added to the account’s credit.',
  ping: 'A test event. The service sends it only when you test an endpoint.',
} as const

export type EventType = keyof typeof eventTypes

/** Groups that an endpoint may subscribe to: every type with this prefix, including later ones. */
export const eventGroups = ['zone.*', 'order.*'] as const

/** Whether this is a type or a group that an endpoint may list in `events`. */
export function isSubscribable(text: string): boolean {
  return Object.hasOwn(eventTypes, text) || (eventGroups as readonly string[]).includes(text)
}

/** Whether an endpoint with these `events` (null: everything) receives this type. No group includes `ping`. */
export function subscribes(events: readonly string[] | null, type: string): boolean {
  if (events === null) return true
  const group = `${type.slice(0, type.indexOf('.') + 1)}*`
  return events.includes(type) || events.includes(group)
}

const zone = z.object({ id: z.uuid(), name: z.string() })

/** `data` of the zone events (specification, "Data shapes"), their members in this order. */
export const zoneEventData = {
  'zone.created': z.object({ zone }),
  'zone.deleted': z.object({ zone }),
  'zone.records_changed': z.object({
    zone,
    serial: z.int(),
    replicated: z
      .boolean()
      .meta({ description: 'True if every nameserver served this serial when the service sent the event.' }),
    changes: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        ttl: z.int(),
        records: z
          .array(z.string())
          .meta({ description: 'The records after the change. The list is empty if the record set was deleted.' }),
      }),
    ),
  }),
  'zone.delegation_changed': z.object({
    zone,
    state: delegationStateSchema,
    previous_state: delegationStateSchema,
    parent_nameservers: z.array(z.string()).meta({
      description:
        'The nameservers of the domain in the parent zone, sorted. Names are in lower case and have no final dot.',
    }),
    registry_nameservers: z.array(z.string()).meta({
      description:
        'The nameservers of the domain at the registry, in the same form as `parent_nameservers`. The list is empty if they are unknown.',
    }),
  }),
} as const

/** `data` of every `order.*` event. */
export const orderEventData = z.object({ order: orderSchema })

/** The JSON body of every webhook request (specification, "Event envelope"). */
export const eventSchema = z
  .object({
    id: z.string().meta({ example: 'evt_0198f2c3a1b40c3d9e5f60718293a4b5' }),
    type: z.string().meta({ description: 'The event type. More types can be added.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    data: z.unknown().meta({ description: 'The data of the event. Its form depends on the type.' }),
  })
  .meta({ id: 'Event' })

/** The same for one type, with the shape of its `data`. */
export function eventSchemaOf(type: EventType) {
  return eventSchema.extend({ type: z.literal(type), data: dataSchemaOf(type) })
}

function dataSchemaOf(type: EventType): z.ZodObject {
  if (type === 'ping') return z.object({})
  return type in zoneEventData ? zoneEventData[type as keyof typeof zoneEventData] : orderEventData
}

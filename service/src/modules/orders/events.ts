import type { EventType } from '@zonewright/contract'
import type { NewEvent } from '#modules/events/index.ts'
import { type Order, orderToWire } from './order.ts'

/** An `order.*` event: to the order's account, at once, with exactly the specification's fields. */
export function orderEvent(type: EventType, order: Order): NewEvent {
  return { type, recipients: [order.accountId], held: null, data: { order: orderToWire(order) } }
}

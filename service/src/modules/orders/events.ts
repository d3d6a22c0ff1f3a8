import type { EventType } from '@zonewright/contract'
import type { NewEvent } from '#modules/events/index.ts'
import { type Order, orderToWire } from './order.ts'

/** An `order.*` event for the order's account, with exactly the fields of the specification. It is released immediately. */
export function orderEvent(type: EventType, order: Order): NewEvent {
  return { type, recipients: [order.accountId], held: null, data: { order: orderToWire(order) } }
}

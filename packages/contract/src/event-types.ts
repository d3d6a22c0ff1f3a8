/** Every event type of the specification, in its order, with the sentence that explains it. */
export const eventTypes = {
  'zone.created': 'A zone is live on ns1 and ns2: verified, bought, claimed or added.',
  'zone.deleted': 'A zone was deleted by its owner; ns2 stops answering within seconds.',
  'zone.records_changed': 'Records changed, from the dashboard, the API, a preset or an import.',
  'zone.delegation_changed': 'Nameservers started or stopped pointing at the service, or point at it only partly.',
  'order.paid': 'An order was paid; the service is registering, renewing or transferring.',
  'order.completed': 'Registered or renewed, or the transfer has started.',
  'order.failed': 'The registry refused it; the money is being returned.',
  'order.cancelled': 'Closed unpaid, or a promo-code order failed and the code was freed.',
  'order.refunded': 'The money for a failed order went back to the card.',
  'order.credited': 'The money for a failed order became service credit.',
  ping: 'Sent only by the test operation.',
} as const

export type EventType = keyof typeof eventTypes

/** Groups that an endpoint may subscribe to: every type before the dot, later ones too. */
export const eventGroups = ['zone.*', 'order.*'] as const

/** Is this a type or a group that an endpoint may name in `events`? */
export function isSubscribable(text: string): boolean {
  return text in eventTypes || (eventGroups as readonly string[]).includes(text)
}

/** Does an endpoint with these `events` (null: everything) receive this type? `ping` answers to no subscription. */
export function subscribes(events: readonly string[] | null, type: string): boolean {
  if (events === null) return true
  const group = `${type.slice(0, type.indexOf('.') + 1)}*`
  return events.includes(type) || events.includes(group)
}

import { type UpdateKind, updateKinds, type WireUpdate } from '@zonewright/contract'

/** A change that one account can learn about. */
export interface Change {
  readonly account: string
  /** An action in the audit log, `zone.delegation_changed`, `delivery.moved`, or `everything` if there were too many to read. */
  readonly action: string
  readonly zone: string | null
  readonly domain: string | null
  /** The id of an order, key or endpoint. */
  readonly subject: string | null
}

/** The hints for a change; none if no list of the dashboard shows it. */
export function hintsOf({ action, zone, domain, subject }: Change): WireUpdate[] {
  const [noun = ''] = action.split('.', 1)
  switch (noun) {
    case 'records':
      return [{ kind: 'records', id: zone }]
    case 'zone':
      return [{ kind: 'zones', id: zone }]
    case 'manager':
      return zone === null ? [{ kind: 'domains', id: domain }] : [{ kind: 'zones', id: zone }]
    case 'domain':
      return [{ kind: 'domains', id: domain }]
    // The domain of an order arrives, is renewed or leaves together with it.
    case 'order':
    case 'pay_link':
      return [
        { kind: 'orders', id: subject },
        { kind: 'domains', id: domain },
      ]
    case 'key':
      return [{ kind: 'keys', id: subject }]
    case 'webhook':
    case 'delivery':
      return [{ kind: 'deliveries', id: subject }]
    case 'everything':
      return updateKinds.map((kind) => ({ kind, id: null }))
    default:
      return []
  }
}

/** Maximum number of waiting ids of one kind. */
export const maxWaitingIds = 100

/** Hints that wait to be sent: each once, or one for a whole kind if there are too many. */
export class WaitingHints {
  readonly #ids = new Map<UpdateKind, Set<string> | 'any'>()

  get isEmpty(): boolean {
    return this.#ids.size === 0
  }

  add({ kind, id }: WireUpdate): void {
    const ids = this.#ids.get(kind) ?? new Set()
    if (ids === 'any') return
    if (id !== null) ids.add(id)
    this.#ids.set(kind, id === null || ids.size > maxWaitingIds ? 'any' : ids)
  }

  take(): WireUpdate[] {
    const hints: WireUpdate[] = []
    for (const [kind, ids] of this.#ids) for (const id of ids === 'any' ? [null] : ids) hints.push({ kind, id })
    this.#ids.clear()
    return hints
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | null>()

/**
 * Does what a request has set off, now or much later: log lines, events, mails and orders that come of it bear the request's id.
 *
 * Null: it is nobody's request alone.
 */
export function inRequest<T>(id: string | null, work: () => T): T {
  return current.run(id, work)
}

/** The request that this is done for, if it is for one. */
export function requestId(): string | null {
  return current.getStore() ?? null
}

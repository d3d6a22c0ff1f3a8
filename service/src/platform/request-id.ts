import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | null>()

/**
 * Runs work that a request caused, now or much later. Its log lines, events, emails and orders have the id of the request.
 *
 * Null: the work does not belong to a single request.
 */
export function inRequest<T>(id: string | null, work: () => T): T {
  return current.run(id, work)
}

/** The id of the request that the current work is for, if it is for one. */
export function requestId(): string | null {
  return current.getStore() ?? null
}

import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { failedWith, isPassing } from './failure.ts'
import { sessionLost } from './session.ts'

const noteLostSession = (error: unknown): void => {
  if (failedWith(error, 'signed_out')) sessionLost.tell()
}

/** The object of a change no longer exists, or this person has lost access to it, so the data that the page shows is read again. */
const noteLostThing = (error: unknown): void => {
  if (failedWith(error, 'not_found')) void renew([])
}

const mostTries = 4
/** How long query results count as fresh, unless a query says otherwise. */
export const usualStaleTimeMs = 15_000

/** The cache of query results, which refreshes old ones. Temporary failures are retried when the service says so. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteLostSession }),
  mutationCache: new MutationCache({
    onError: (error) => {
      noteLostSession(error)
      noteLostThing(error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: usualStaleTimeMs,
      // A person who is offline gets an error instead of waiting.
      networkMode: 'always',
      retry: (failures, error) => isPassing(error) && !failedWith(error, 'timed_out') && failures < mostTries,
      retryDelay: (failures, error) =>
        failedWith(error, 'rate_limited', 'unavailable') && error.retryAfterS !== undefined
          ? Math.min(error.retryAfterS, 30) * 1_000
          : Math.min(500 * 2 ** failures, 8_000),
    },
    mutations: { networkMode: 'always' },
  },
})

/** Restarts the reads in progress, because the first request may never be answered. */
export async function refetchStuck(): Promise<void> {
  const stuck = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })
  await Promise.all(stuck.map((query) => query.cancel({ revert: true, silent: true })))
  await Promise.allSettled(stuck.map((query) => query.fetch()))
}

/** Invalidates everything below these keys: visible results are refreshed immediately, and others when they are next shown. */
export async function renew(...queryKeys: readonly QueryKey[]): Promise<void> {
  await Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/**
 * Shows changed items of a list immediately. If the list is being read, a part of it may have been read before the change, so it is read once more.
 */
export function changeInList<T>(queryKey: QueryKey, change: (item: T) => T): void {
  queryClient.setQueryData<{ readonly items: readonly T[] }>(
    queryKey,
    (list) => list && { ...list, items: list.items.map(change) },
  )
  if (queryClient.isFetching({ queryKey, exact: true }) > 0) void renew(queryKey)
}

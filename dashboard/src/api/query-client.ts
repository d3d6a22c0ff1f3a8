import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { failedWith, isPassing } from './failure.ts'
import { sessionLost } from './session.ts'

const noteLostSession = (error: unknown): void => {
  if (failedWith(error, 'signed_out')) sessionLost.tell()
}

const mostTries = 4
/** For how long what was read counts as fresh, unless its query says otherwise. */
export const usualStaleTimeMs = 15_000

/** What is read is kept and asked for again when it is old; what fails in passing is tried again, as the service says when. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteLostSession }),
  mutationCache: new MutationCache({ onError: noteLostSession }),
  defaultOptions: {
    queries: {
      staleTime: usualStaleTimeMs,
      // Whoever is offline shall be told, not be kept waiting.
      networkMode: 'always',
      retry: (failures, error) => isPassing(error) && failures < mostTries,
      retryDelay: (failures, error) =>
        failedWith(error, 'rate_limited', 'unavailable') && error.retryAfterS !== undefined
          ? Math.min(error.retryAfterS, 30) * 1_000
          : Math.min(500 * 2 ** failures, 8_000),
    },
    mutations: { networkMode: 'always' },
  },
})

/** Has what stands below these keys read again: at once where it is shown, else when it is next. */
export async function renew(...queryKeys: readonly QueryKey[]): Promise<void> {
  await Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

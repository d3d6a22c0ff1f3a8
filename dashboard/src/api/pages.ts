import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { RouteId } from '@zonewright/contract'
import { type Answer, callInFull, type Item, type Request } from './client.ts'
import { queryClient, usualStaleTimeMs } from './query-client.ts'

/** Routes that return lists in pages. */
export type ListId = { [Id in RouteId]: Answer<Id> extends { next_cursor: string | null } ? Id : never }[RouteId]

/** A list that is being read or is complete. */
export interface Listing<T> {
  readonly items: readonly T[]
  readonly isWhole: boolean
  /** The zone's version at its first page, if the list has one, for If-Match. */
  readonly version: number | undefined
}

/** The largest page of the API. */
export const pageSize = 200
/** While a long list is loading for the first time, the loaded part is updated after this many pages. */
const pagesPerGlimpse = 5

/**
 * A list of any length as one query: its first page is shown immediately, and the rest follows. When it is refreshed, it stays as it is until
 * the new list is complete. A list that was interrupted is refreshed immediately, however new it is.
 */
export function wholeList<Id extends ListId>(
  id: Id,
  key: QueryKey,
  request: Omit<Request<Id>, 'signal'>,
  staleTimeMs = usualStaleTimeMs,
) {
  return queryOptions<Listing<Item<Id>>>({
    queryKey: key,
    staleTime: ({ state }) => (state.data?.isWhole === false ? 0 : staleTimeMs),
    queryFn: async ({ signal }) => {
      const isFirst = queryClient.getQueryData<Listing<Item<Id>>>(key) === undefined
      const items: Item<Id>[] = []
      let version: number | undefined
      let cursor: string | null = null
      for (let page = 0; ; page++) {
        const query = { ...(request as { query?: object }).query, limit: pageSize, ...(cursor !== null && { cursor }) }
        const answer: { body: unknown; version: number | undefined } = await callInFull(id, {
          ...request,
          query,
          signal,
        } as unknown as Request<Id>)
        const body = answer.body as { data: Item<Id>[]; next_cursor: string | null }
        items.push(...body.data)
        version ??= answer.version
        cursor = body.next_cursor
        if (cursor === null) return { items, isWhole: true, version }
        if (isFirst && page % pagesPerGlimpse === 0)
          queryClient.setQueryData<Listing<Item<Id>>>(key, { items: [...items], isWhole: false, version })
      }
    },
  })
}

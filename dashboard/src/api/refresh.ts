import type { Query } from '@tanstack/react-query'
import { updateKinds, type WireUpdate } from '@zonewright/contract'
import { isConcerned } from '../util/update-hints.ts'
import { call, type Item } from './client.ts'
import { failedWith } from './failure.ts'
import { type Listing, pageSize } from './pages.ts'
import { keys, queries } from './queries.ts'
import { queryClient } from './query-client.ts'

/** The shortest time between two refreshes of a query, for each page of its list. */
const pauseMs = 2_000
/** How long until a query that was busy is checked again. */
const busyMs = 500

/** For changes that were not reported. */
export const everything: readonly WireUpdate[] = updateKinds.map((kind) => ({ kind, id: null }))

const timers = new Map<string, number>()

/**
 * Refreshes the lists that hints are about, if a visible page shows them. Other lists are marked as stale, and are read when they are next shown.
 *
 * Refreshed lists keep their place and their edits: pages compare the edits with the new data.
 */
export function refresh(hints: readonly WireUpdate[]): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const concerning = hints.filter((hint) => isConcerned(hint, query.queryKey, zoneIdOf))
    if (concerning.length === 0) continue
    const ids = concerning.map(({ id }) => id)
    if (query.queryKey[0] === keys.zones[0] && isVisible(query) && canPatch(ids))
      for (const id of ids) later(id, () => patchZone(id))
    else later(query.queryHash, () => refetch(query), readyInMs(query))
  }
}

function zoneIdOf(zone: string): string | undefined {
  return queryClient.getQueryData(queries.zone(zone).queryKey)?.id
}

const isVisible = (query: Query): boolean => query.isActive() && document.visibilityState === 'visible'

/** Does something once for all hints that arrive until then. */
function later(what: string, work: () => void, inMs = 0): void {
  if (timers.has(what)) return
  const run = (): void => {
    timers.delete(what)
    work()
  }
  timers.set(what, window.setTimeout(run, inMs))
}

function readyInMs({ state }: Query): number {
  return Math.max(0, state.dataUpdatedAt + pauseMs * pagesOf(state.data) - Date.now())
}

/** The number of pages in a list. */
function pagesOf(data: unknown): number {
  const { items, pages } = (data ?? {}) as Partial<Listing<unknown>> & { pages?: readonly unknown[] }
  return Math.max(1, pages?.length ?? Math.ceil((items?.length ?? 0) / pageSize))
}

function refetch(query: Query): void {
  if (!isVisible(query)) query.invalidate()
  // A read in progress may have started before the change, but a long list must also be able to finish loading.
  else if (query.state.fetchStatus === 'fetching') later(query.queryHash, () => refetch(query), busyMs)
  else void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true })
}

type ZoneList = Listing<Item<'listZones'>>

/** Whether zones are read one by one, because the list has many pages. */
function canPatch(ids: readonly (string | null)[]): ids is string[] {
  const list = queryClient.getQueryData<ZoneList>(keys.zones)
  if (list?.isWhole !== true || pagesOf(list) < Math.max(2, ids.length)) return false
  const known = new Set(list.items.map(({ id }) => id))
  return ids.every((id) => id !== null && known.has(id))
}

async function patchZone(id: string): Promise<void> {
  const zone = await call('getZone', { params: { zone: id } }).catch((error: unknown) =>
    failedWith(error, 'not_found') ? undefined : null,
  )
  if (zone === null) return
  queryClient.setQueryData<ZoneList>(
    keys.zones,
    (list) => list && { ...list, items: list.items.flatMap((item) => (item.id !== id ? [item] : zone ? [zone] : [])) },
  )
}

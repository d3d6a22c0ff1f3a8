import { searchRoutes, type WireSearchResult } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { findRrsets } from '#modules/records/index.ts'
import { unicodeName } from '#modules/zones/index.ts'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { Metrics } from '#platform/figures/metrics.ts'
import { inSlices } from '#platform/work/slices.ts'
import { type FoundRrset, findHits, type Hits } from './find-hits.ts'
import { reachOf } from './reach.ts'
import { type IndexLimits, SearchIndexes } from './search-index.ts'
import { readSearch } from './search-terms.ts'
import { stillSeen } from './store.ts'
import { recordWith } from './zone-text.ts'

/** Maximum number of characters of a record that a hit shows. */
const maxValue = 255

/** Mounts `GET /search`. `limits`: set by tests. */
export function mountSearchRoutes(
  server: HttpServer,
  { metrics, limits }: { metrics: Metrics; limits?: IndexLimits | undefined },
): void {
  const { db } = server.database
  const indexes = new SearchIndexes(db, limits)
  metrics.gauge({
    name: 'zonewright_search_index_bytes',
    help: 'Memory of the search indexes of this process, at most about 256 MiB.',
    collect() {
      this.set(indexes.bytes)
    },
  })

  server.mount(searchRoutes.search, async ({ caller, query }) => {
    const terms = readSearch(query.q)
    const [index, reach] = await Promise.all([indexes.of(caller.accountId), reachOf(db, caller)])
    const hits = await inSlices(findHits(index, terms, reach))
    const body: WireSearchResult = { ...(await shown(caller.accountId, hits, terms)), complete: index.isComplete }
    return { status: 200, body }
  })

  /** The hits as they are now: the index may be a second old. Objects that no longer exist are left out. */
  async function shown(
    accountId: string,
    { zones, rrsets, domains, orders, keys }: Hits,
    terms: readonly string[],
  ): Promise<Omit<WireSearchResult, 'complete'>> {
    const asks = rrsets.hits.map(({ zone, name, type }) => ({ zoneId: zone.id, name, type }))
    const [seen, found] = await Promise.all([
      stillSeen(db, accountId, {
        zones: [...zones.hits, ...rrsets.hits.map(({ zone }) => zone)].map(({ id }) => id),
        domains: domains?.hits.map(({ id }) => id) ?? [],
      }),
      asks.length === 0 ? [] : findRrsets(db, asks),
    ])
    const isSeen = ({ id }: { id: string }): boolean => seen.has(id)
    return {
      zones: {
        data: zones.hits.filter(isSeen).map(({ id, name, state, isOwn }) => ({
          ...{ id, name, unicode_name: unicodeName(name), state },
          role: roleOf(isOwn),
        })),
        has_more: zones.hasMore,
      },
      records: {
        data: rrsets.hits.flatMap((hit, i) => {
          const rrset = found[i]?.rrset
          return rrset && isSeen(hit.zone) ? [recordToWire(hit, rrset, terms)] : []
        }),
        has_more: rrsets.hasMore,
      },
      domains: domains && {
        data: domains.hits.filter(isSeen).map(({ name, isOwn, expiresAt }) => ({
          ...{ name, unicode_name: unicodeName(name) },
          role: roleOf(isOwn),
          expires_at: expiresAt?.toISOString() ?? null,
        })),
        has_more: domains.hasMore,
      },
      orders: orders && {
        data: orders.hits.map(({ id, kind, name, status, createdAt }) => ({
          ...{ id, kind, name, status },
          created_at: createdAt.toISOString(),
        })),
        has_more: orders.hasMore,
      },
      keys: keys && { data: [...keys.hits], has_more: keys.hasMore },
    }
  }
}

function roleOf(isOwn: boolean): 'owner' | 'manager' {
  return isOwn ? 'owner' : 'manager'
}

function recordToWire(
  { zone, name, type }: FoundRrset,
  { ttl, records }: { readonly ttl: number; readonly records: readonly string[] },
  terms: readonly string[],
): WireSearchResult['records']['data'][number] {
  const value = firstCharacters(recordWith(records, terms), maxValue)
  return {
    zone: { id: zone.id, name: zone.name, state: zone.state },
    name,
    type,
    ttl,
    value,
    record_count: records.length,
  }
}

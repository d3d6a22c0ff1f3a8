import { type Statement, sql } from '#platform/postgres/index.ts'

/** A key's requests of the last 60 s. All null: the key is not counted, since it opens nothing. */
export interface KeyWindow {
  /** Requests in the window, including those of this batch that were let in. */
  readonly used: number | null
  /** So many of this batch's requests of the key are let in: the first ones. */
  readonly admitted: number | null
  /** Until the oldest request leaves the window. */
  readonly oldestLeavesInMs: number | null
}

/** The condition that the requests of the key `k` are counted: it is live. */
export const isCounted = sql`(k.revoked_at is null and coalesce(k.expires_at > app_now(), true))`

const nowMs = sql`(extract(epoch from app_now()) * 1000)::bigint`
const batchMs = sql`excluded.recent[1]`
const last = sql`w.recent[cardinality(w.recent)]`
// The clock was set back: no statement waits so long for another one's turn (statement_timeout). The window begins anew.
const isAhead = sql`${last} > ${batchMs} + 30000`
/** How many requests have left the window. It is in order of time: they are found by halving, not by reading 300 times. */
const over = sql`case when ${isAhead} then cardinality(w.recent) else width_bucket(${batchMs} - 60000, w.recent) end`
/** The time that a request gets. One that waited for another process's turn counts from then on. */
const next = sql`case when ${isAhead} then ${batchMs} else greatest(${batchMs}, ${last}) end`

/**
 * Ends a statement `with found as (…)`: counts the requests of the keys found against their windows, and selects the keys with them.
 *
 * `found` has `n`, `key` and `preload` to select, the key's `id`, `isCounted`, and on one row of each key the number of its `requests`.
 */
export function countRequests(requestsPerMinute: number): Statement {
  const admitted = sql`least(excluded.admitted, ${requestsPerMinute} - cardinality(w.recent) + ${over})`
  return sql`, counted as (
      insert into api_key_windows as w (key_id, recent, admitted)
      select id, array_fill(${nowMs}, array[requests]), requests from found where requests is not null and "isCounted"
      on conflict (key_id) do update set
        recent = w.recent[${over} + 1 :] || array_fill(${next}, array[${admitted}]),
        admitted = ${admitted}
      returning w.key_id, cardinality(w.recent) as used, w.admitted, w.recent[1] + 60000 - ${nowMs} as "oldestLeavesInMs"
    )
    select found.n, found.key, found.preload, counted.used, counted.admitted, counted."oldestLeavesInMs"
    from found left join counted on counted.key_id = found.id`
}

/** Ends it without counting, for requests that were counted before. */
export const notCounted = sql`
    select n, key, preload, null::int as used, null::int as admitted, null::bigint as "oldestLeavesInMs" from found`

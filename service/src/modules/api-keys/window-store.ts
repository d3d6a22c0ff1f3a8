import { type Db, type Statement, sql } from '#platform/postgres/index.ts'

/** A key's requests of the last 60 s. All null: the key is not counted, because it opens nothing. */
export interface KeyWindow {
  /** Requests in the window, including the admitted ones of this batch. */
  readonly used: number | null
  /** How many of the key's requests in this batch are admitted. The first ones are. */
  readonly admitted: number | null
  /** Time until the oldest request leaves the window. */
  readonly oldestLeavesInMs: number | null
  /** How many requests a minute the key can make, if this was read. */
  readonly most?: number | undefined
}

/** Highest limit of requests a minute for a key. A window is one array of times, which has to fit on a page of PostgreSQL. */
export const mostPerMinute = 1_000

/** How many requests a key can make in a minute. */
export interface KeyLimit {
  /** SQL, for a row of `found`. */
  readonly ofFound: Statement
  /** SQL, for a window `w`. */
  readonly ofWindow: Statement
  /** SQL, for the account `a` of a key, if the limit differs between keys: `found` selects it as `most`. */
  readonly ofAccount?: Statement
}

/** The same limit for all keys. */
export function requestLimit(perMinute: number): KeyLimit {
  return { ofFound: sql`${perMinute}`, ofWindow: sql`${perMinute}` }
}

/** The limit that an operator has set for the account, or else the default one. */
export function updateLimit(perMinute: number): KeyLimit {
  return {
    ofFound: sql`found.most`,
    ofWindow: sql`(
      select coalesce(a.updates_per_minute, ${perMinute}::int) from api_keys k join accounts a on a.id = k.account_id where k.id = w.key_id)`,
    ofAccount: sql`coalesce(a.updates_per_minute, ${perMinute}::int)`,
  }
}

/** SQL condition: the requests of the key `k` are counted, because it is active. */
export const isCounted = sql`(k.revoked_at is null and coalesce(k.expires_at > app_now(), true))`

const nowMs = sql`(extract(epoch from app_now()) * 1000)::bigint`

/** How many requests have left the window `w` at a given time, and the time that a new request is counted with. */
function windowAt(ms: Statement): { readonly over: Statement; readonly next: Statement } {
  const last = sql`w.recent[cardinality(w.recent)]`
  // The clock was set back, because no statement waits this long for another (statement_timeout). The window is emptied.
  const isAhead = sql`${last} > ${ms} + 30000`
  return {
    // A window is ordered by time, so the requests that have left it are found by binary search instead of 300 reads.
    over: sql`case when ${isAhead} then cardinality(w.recent) else width_bucket(${ms} - 60000, w.recent) end`,
    // A request that waited for another process counts from the end of the wait.
    next: sql`case when ${isAhead} then ${ms} else greatest(${ms}, ${last}) end`,
  }
}

const atFound = windowAt(sql`found.ms`)
const atBatch = windowAt(sql`excluded.recent[1]`)

/**
 * Counts one request, and selects its key as `countRequests` does. Selects nothing if the key has no window yet, its window is full, or the
 * key is not counted. Takes two thirds of the time of `countRequests` (docs/decisions/0011).
 *
 * `offset 0` makes PostgreSQL find the key before its window. It expects few windows with room, and would otherwise read all of them first.
 */
export function countRequest(found: Statement, limit: KeyLimit): Statement {
  return sql`
    update api_key_windows w set recent = w.recent[${atFound.over} + 1 :] || ${atFound.next}, admitted = 1
    from (select found.*, ${nowMs} as ms from (${found}) found where found."isCounted" offset 0) found
    where w.key_id = found.id and w.recent[${atFound.over} + ${limit.ofFound}] is null
    returning ${foundAsJson({ used: sql`cardinality(w.recent)`, admitted: sql`w.admitted`, oldestLeavesInMs: sql`w.recent[1] + 60000 - found.ms`, limit })}`
}

/**
 * Counts the requests of the keys that `found` finds, and selects the keys with their windows.
 *
 * `found` has `n`, `key` and `preload` to select, the key's `id`, `isCounted`, and on one row of each key the number of its `requests`.
 */
export function countRequests(found: Statement, limit: KeyLimit): Statement {
  // 0 if a window has more requests than the limit, because another limit applied when it was filled.
  const admitted = sql`greatest(0, least(excluded.admitted, ${limit.ofWindow} - cardinality(w.recent) + ${atBatch.over}))`
  return sql`
    with found as (${found}), counted as (
      insert into api_key_windows as w (key_id, recent, admitted)
      select id, array_fill(${nowMs}, array[requests]), requests from found where requests is not null and "isCounted"
      on conflict (key_id) do update set
        recent = w.recent[${atBatch.over} + 1 :] || array_fill(${atBatch.next}, array[${admitted}]),
        admitted = ${admitted}
      returning w.key_id, cardinality(w.recent) as used, w.admitted, w.recent[1] + 60000 - ${nowMs} as "oldestLeavesInMs"
    )
    select ${foundAsJson({ used: sql`counted.used`, admitted: sql`counted.admitted`, oldestLeavesInMs: sql`counted."oldestLeavesInMs"`, limit })}
    from found left join counted on counted.key_id = found.id`
}

/** Selects the keys without counting their requests, which were already counted. */
export function notCounted(found: Statement): Statement {
  return sql`
    select ${foundAsJson({ used: none, admitted: none, oldestLeavesInMs: none })} from (${found}) found`
}

const none = sql`null`

/** A lookup's key and window as one value, because pg takes much longer to read one column for each of its parts (docs/decisions/0019). */
function foundAsJson({ used, admitted, oldestLeavesInMs, limit }: WindowColumns): Statement {
  return sql`json_build_object('n', found.n, 'key', found.key, 'preload', found.preload, 'used', ${used}::int,
    'admitted', ${admitted}::int, 'oldestLeavesInMs', ${oldestLeavesInMs}::bigint${limit?.ofAccount ? sql`, 'most', found.most` : sql``}) as found`
}

interface WindowColumns extends Readonly<Record<'used' | 'admitted' | 'oldestLeavesInMs', Statement>> {
  readonly limit?: KeyLimit
}

/** Maximum number of windows that one statement deletes. */
const forgotten = 1_000

/** Deletes the windows of keys that made no request for a day. Each statement deletes only some, and skips windows that a request is using. */
export async function forgetIdleWindows(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      delete from api_key_windows where key_id in (
        select key_id from api_key_windows w where w.recent[cardinality(w.recent)] < ${nowMs} - 86400000
        limit ${forgotten} for update skip locked) returning 1`.execute(db)
    if (rows.length < forgotten) return
  }
}

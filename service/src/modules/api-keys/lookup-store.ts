import type { CalledZone, PreloadTarget } from '#http/call.ts'
import {
  namesAboveOwner,
  RrsetPreload,
  type RrsetPreloadRow,
  rrsetPreloadColumn,
  ZonePreload,
  type ZonePreloadRow,
  zonePreloadColumn,
} from '#modules/records/index.ts'
import { visibleZone, type ZoneRef } from '#modules/zones/index.ts'
import { type Db, type Statement, sql, withoutWaitingForDisk } from '#platform/postgres/index.ts'

/** A key as authentication needs it, with the zone that the request names. */
export interface KeyRow {
  readonly id: string
  readonly accountId: string
  /** Its keys were revoked then, if they were not before. */
  readonly accountDeletedAt: Date | null
  readonly name: string
  readonly permissions: string[]
  readonly allZones: boolean
  readonly expiresAt: Date | null
  readonly expired: boolean
  readonly revokedAt: Date | null
  readonly useIsDue: boolean
  readonly zone: CalledZone | null
}

/** Of `api_keys k` and its `accounts a`, by their names in a row. */
const keyParts: Readonly<Record<Exclude<keyof KeyRow, 'zone'>, Statement>> = {
  id: sql`k.id`,
  accountId: sql`k.account_id`,
  accountDeletedAt: sql`a.deleted_at`,
  name: sql`k.name`,
  permissions: sql`k.permissions`,
  allZones: sql`k.all_zones`,
  expiresAt: sql`k.expires_at`,
  expired: sql`coalesce(k.expires_at <= app_now(), false)`,
  revokedAt: sql`k.revoked_at`,
  useIsDue: sql`coalesce(k.last_used_at < app_now() - interval '1 minute', true)`,
}
const keyColumns = sql.join(Object.entries(keyParts).map(([name, part]) => sql`${part} as ${sql.ref(name)}`))
const foundColumns = sql.join([...Object.keys(keyParts), 'zone'].map((name) => sql`k.${sql.ref(name)}`))

// "All" covers what the account owns; a shared zone is covered only when it was picked (specification, "Rules for the zone scope").
const covered = sql`
  (k.all_zones and z.account_id = k.account_id)
  or exists (select from api_key_zones kz where kz.key_id = k.id and kz.zone_id = z.id)`

/** What a request shows: the hash of its key's secret, and the zone in its path. */
export interface KeyLookup {
  readonly hash: Buffer
  readonly zone: ZoneRef | undefined
  /** What may be preloaded of that zone; only with a zone. */
  readonly preload?: PreloadTarget | undefined
}

/** A key as it was found, and how its minute stands after this batch. */
export interface FoundKey extends KeyRow, KeyWindow {}

/** A key's requests of the last 60 s. All null: it is not counted, since it opens nothing. */
export interface KeyWindow {
  /** Requests in it, those of this batch that were let in included. */
  readonly used: number | null
  /** Of this batch's requests of the key, so many are let in: the first ones. */
  readonly admitted: number | null
  /** Until the oldest of them leaves the window. */
  readonly oldestLeavesInMs: number | null
}

const nowMs = sql`(extract(epoch from app_now()) * 1000)::bigint`

/** Of a window `w` with requests at a moment: how many of it are over, and the time that one of them gets. */
function windowAt(ms: Statement): { over: Statement; next: Statement } {
  const last = sql`w.recent[cardinality(w.recent)]`
  // The clock was set back: no statement waits so long for another one's turn (statement_timeout). The window begins anew.
  const isAhead = sql`${last} > ${ms} + 30000`
  return {
    // A window is in order of time: what is over is found by halving, not by reading 300 times.
    over: sql`case when ${isAhead} then cardinality(w.recent) else width_bucket(${ms} - 60000, w.recent) end`,
    next: sql`case when ${isAhead} then ${ms} else greatest(${ms}, ${last}) end`,
  }
}

const windowNow = windowAt(sql`k.ms`)
const windowOfBatch = windowAt(sql`excluded.recent[1]`)
const countedColumns = (ms: Statement) => sql`
  cardinality(w.recent) as used, w.admitted, w.recent[1] + 60000 - ${ms} as "oldestLeavesInMs"`
const isCounted = sql`k.revoked_at is null and coalesce(k.expires_at > app_now(), true)`

/**
 * The keys with these hashes, and each one's zone as its account sees it; counts the requests of each live key against its
 * minute: one round trip. Undefined where there is no such key.
 *
 * Preloads what a request is about: the change or the reading that follows is spared a round trip (docs/decisions/0017).
 *
 * A lone lookup has a statement of its own, for half the time. It finds who has a window with room in it, and leaves all others to
 * the other statement: a key's first request, one that is too many, and keys that open nothing.
 */
export async function findKeys(
  db: Db,
  lookups: readonly KeyLookup[],
  requestsPerMinute: number,
): Promise<(FoundKey | undefined)[]> {
  const [first] = lookups
  if (first === undefined || lookups.length > 1) return findTogether(db, lookups, requestsPerMinute)
  const found = await findAlone(db, first, requestsPerMinute)
  return found === undefined ? findTogether(db, lookups, requestsPerMinute) : [found]
}

/**
 * Windows are not logged, and yet the commit would wait for the disk: who reads a page on which a row was changed tidies it, and
 * that is logged (measured: a flush for each lookup of a zone that is written to).
 *
 * `offset 0` has all else found first. PostgreSQL would think that next to no window has room, and read all windows of an installation with
 * a hundred keys to find these (measured: 200 µs instead of 45).
 */
async function findAlone(
  db: Db,
  { hash, zone, preload }: KeyLookup,
  requestsPerMinute: number,
): Promise<FoundKey | undefined> {
  const { rows } = await sql<FoundRow>`
    update api_key_windows w set recent = w.recent[${windowNow.over} + 1 :] || ${windowNow.next}, admitted = 1
    from (
      select ${keyColumns}, ${zone ? zoneIfSeen : noZone}, ${nowMs} as ms, ${withoutWaitingForDisk}
        ${preload === undefined ? nothing : preloadIfSeen(preload)}
      from api_keys k join accounts a on a.id = k.account_id ${joinZoneOf(zone)}
      where k.secret_sha256 = ${hash} and ${isCounted} offset 0
    ) k
    where w.key_id = k.id and w.recent[${windowNow.over} + ${requestsPerMinute}] is null
    returning ${foundColumns}, ${countedColumns(sql`k.ms`)} ${preload === undefined ? nothing : preloadFound(preload)}`.execute(
    db,
  )
  const [found] = rows
  return found && withPreload(found, preload)
}

/**
 * `offset 0` keeps the subqueries apart, so that each lookup is one by index, whatever the planner thinks of their number.
 * A request that waited for another process's turn counts from then on. Where each will change a record, the commit does not wait for the
 * disk, as that of the change will; others do (docs/decisions/0011).
 */
async function findTogether(
  db: Db,
  lookups: readonly KeyLookup[],
  requestsPerMinute: number,
): Promise<(FoundKey | undefined)[]> {
  const readable = preloadTargetsOf(lookups)
  const asked = JSON.stringify(inOrderOfKeys(lookups, readable))
  const namesZones = lookups.some(({ zone }) => zone !== undefined)
  const allChange = lookups.every(({ preload }) => isOfChange(preload))
  const { over, next } = windowOfBatch
  const admitted = sql`least(excluded.admitted, ${requestsPerMinute} - cardinality(w.recent) + ${over})`
  const { rows } = await sql<FoundRow & { n: number }>`
    with counted as (
      insert into api_key_windows as w (key_id, recent, admitted)
      select k.id, array_fill(${nowMs}, array[asked.requests]), asked.requests
      from json_to_recordset(${asked}::json) as asked(hash text, requests int)
      cross join lateral (select * from api_keys where secret_sha256 = decode(asked.hash, 'hex') offset 0) k
      where asked.requests is not null and ${isCounted}
      on conflict (key_id) do update set
        recent = w.recent[${over} + 1 :]
          || array_fill(${next}, array[${admitted}]),
        admitted = ${admitted}
      returning w.key_id, ${countedColumns(nowMs)}
    )
    select asked.n, ${keyColumns}, ${namesZones ? zoneIfSeen : noZone}, counted.used, counted.admitted, counted."oldestLeavesInMs"
      ${readable.some(isOfChange) ? changeIfSeen(sql`asked.owner_name`, sql`asked.above`) : nothing}
      ${readable.some(isOfReader) ? shownIfSeen(sql`asked.owner_name`, sql`asked.type`) : nothing}
    from ${allChange ? relaxed : nothing}
      json_to_recordset(${asked}::json) as asked(
        n int, hash text, zone_id uuid, zone_name text, owner_name text, above text[], type text)
    cross join lateral (select * from api_keys where secret_sha256 = decode(asked.hash, 'hex') offset 0) k
    cross join lateral (select * from accounts where id = k.account_id offset 0) a
    ${namesZones ? joinZone({ id: sql`asked.zone_id`, name: sql`asked.zone_name` }) : nothing}
    left join counted on counted.key_id = k.id`.execute(db)
  const found = new Map(rows.map((row) => [row.n, withPreload(row, readable[row.n])]))
  return lookups.map((_, n) => found.get(n))
}

/** What is preloaded. Of two changes of a zone each makes the other's reading old: these are read when they are made. */
function preloadTargetsOf(lookups: readonly KeyLookup[]): (PreloadTarget | undefined)[] {
  const zoneOf = ({ zone }: KeyLookup) => zone && ('id' in zone ? zone.id : zone.name)
  const changes = Map.groupBy(
    lookups.filter(({ preload }) => isOfChange(preload)),
    zoneOf,
  )
  return lookups.map((lookup) => {
    const isOneOfMany = isOfChange(lookup.preload) && changes.get(zoneOf(lookup))?.length !== 1
    return isOneOfMany ? undefined : lookup.preload
  })
}

function isOfChange(preload: PreloadTarget | undefined): boolean {
  return preload !== undefined && preload.type === undefined
}

function isOfReader(preload: PreloadTarget | undefined): boolean {
  return preload?.type !== undefined
}

/** A key as a statement found it, with what it has preloaded. */
interface FoundRow extends FoundKey {
  readonly change?: ZonePreloadRow | null
  readonly shown?: RrsetPreloadRow | null
}

function withPreload({ change, shown, ...found }: FoundRow, target: PreloadTarget | undefined): FoundKey {
  if (!found.zone || target === undefined) return found
  const read = change ? new ZonePreload(target.ownerName, change) : shown ? new RrsetPreload(target, shown) : undefined
  return { ...found, zone: { ...found.zone, preload: read } }
}

/** The key with this hash as it is now, for a request that was counted before. */
export async function findKeyUncounted(db: Db, { hash, zone }: KeyLookup): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${keyColumns}, ${zone ? zoneIfSeen : noZone}
    from api_keys k
    join accounts a on a.id = k.account_id ${joinZoneOf(zone)}
    where k.secret_sha256 = ${hash}`.execute(db)
  return rows[0]
}

// Where nobody names a zone, nothing is asked about zones: that alone would be an eighth of the statement's time.
const nothing = sql``
const relaxed = sql`(select ${withoutWaitingForDisk}) relaxed cross join`
const noZone = sql`null::json as zone`
const zoneIfSeen = sql`case when z.id is not null then ${zoneAsJson(covered)} end as zone`

/** One more column: what a change must know of an owner name. */
function changeIfSeen(ownerName: Statement, above: Statement): Statement {
  return sql`, case when z.id is not null and ${above} is not null then ${zonePreloadColumn(ownerName, above)} end as change`
}

/** One more column: an rrset to be shown. */
function shownIfSeen(ownerName: Statement, type: Statement): Statement {
  return sql`, case when z.id is not null and ${type} is not null then ${rrsetPreloadColumn(ownerName, type)} end as shown`
}

function preloadIfSeen({ ownerName, type }: PreloadTarget): Statement {
  const name = sql`${ownerName}::text`
  return type === undefined
    ? changeIfSeen(name, sql`${namesAboveOwner(ownerName)}::text[]`)
    : shownIfSeen(name, sql`${type}::text`)
}

function preloadFound({ type }: PreloadTarget): Statement {
  return type === undefined ? sql`, k.change` : sql`, k.shown`
}

function joinZone(zone: Parameters<typeof visibleZone>[0]): Statement {
  return sql`left join lateral (${visibleZone(zone, sql`k.account_id`)}) z on true`
}

function joinZoneOf(zone: ZoneRef | undefined): Statement {
  return zone === undefined ? nothing : joinZone(zone)
}

/**
 * Lookups as rows, in one order of keys: two processes that lock windows never wait for each other in a circle. The first of
 * each key says how many there are.
 */
function inOrderOfKeys(lookups: readonly KeyLookup[], targets: readonly (PreloadTarget | undefined)[]): object[] {
  const rows = lookups.map(({ hash, zone }, n) => {
    return { n, hash: hash.toString('hex'), ...columnsOf(targets[n]), ...toColumns(zone) }
  })
  const byKey = Map.groupBy(
    rows.sort((a, b) => (a.hash < b.hash ? -1 : 1)),
    ({ hash }) => hash,
  )
  return [...byKey.values()].flatMap((ofKey) =>
    ofKey.map((row, i) => (i === 0 ? { ...row, requests: ofKey.length } : row)),
  )
}

function columnsOf(preload: PreloadTarget | undefined): object {
  if (preload === undefined) return {}
  const { ownerName, type } = preload
  return type === undefined
    ? { owner_name: ownerName, above: namesAboveOwner(ownerName) }
    : { owner_name: ownerName, type }
}

/** The zone that a reference means for a person who is signed in: one of the account's own, or one that it manages. */
export async function findZone(db: Db, accountId: string, ref: ZoneRef): Promise<CalledZone | undefined> {
  const { rows } = await sql<{ zone: CalledZone }>`
    select ${zoneAsJson(sql`true`)} as zone
    from (select ${accountId}::uuid as account_id) k
    cross join lateral (${visibleZone(ref, sql`k.account_id`)}) z`.execute(db)
  return rows[0]?.zone
}

function zoneAsJson(covered: Statement): Statement {
  return sql`json_build_object('id', z.id, 'name', z.name, 'accountId', z.account_id, 'state', z.state,
    'role', case when z.account_id = k.account_id then 'owner' else 'manager' end, 'covered', ${covered})`
}

/** As rows of JSON name a zone. */
export function toColumns(zone: ZoneRef | undefined): { zone_id?: string; zone_name?: string } {
  if (zone === undefined) return {}
  return 'id' in zone ? { zone_id: zone.id } : { zone_name: zone.name }
}

/** That a key was used, and from where. */
export interface KeyUse {
  readonly keyId: string
  readonly address: string
}

/**
 * Notes when keys were last used, and from where: of each once a minute. A row that somebody else has in hand is left out, so
 * that nobody waits, and the commit does not wait for the disk: what a crash takes back is noted again.
 */
export async function noteUses(db: Db, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    with due as (
      select k.id, used.address
      from ${usedKeys(uses)}
      cross join lateral (
        select id from api_keys
        where id = used."keyId" and (last_used_at is null or last_used_at < app_now() - interval '1 minute')
        for no key update skip locked
      ) k
    )
    update api_keys k set last_used_at = app_now(), last_used_ip = due.address
    from due cross join (select ${withoutWaitingForDisk}) relaxed where k.id = due.id`.execute(db)
}

const usedKeys = sql.recordset('used', '"keyId" text, address inet')

import type { RecordLimit } from '@zonewright/contract'
import type { CalledZone, Preload } from '#http/call.ts'
import { visibleZone, type ZoneRef } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { type Db, type Statement, sql, withoutWaitingForDisk } from '#platform/postgres/index.ts'
import { countRequest, countRequests, isCounted, type KeyLimit, type KeyWindow, notCounted } from './window-store.ts'

/** A key as authentication needs it. Times are as PostgreSQL writes them in JSON. */
export interface KeyRow {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly permissions: string[]
  readonly allZones: boolean
  readonly isLimited: boolean
  /** The networks from which it can be used; null: any. */
  readonly addresses: string[] | null
  readonly expiresAt: string | null
  readonly expired: boolean
  /** When the key was revoked or its account was deleted, whichever came first. */
  readonly revokedAt: string | null
  readonly useIsDue: boolean
}

/** The key as one value: pg takes much longer to read one column for each of its parts (docs/decisions/0019). */
function keyAsJson(zone: Statement): Statement {
  return sql`json_build_object('id', k.id, 'accountId', k.account_id, 'name', k.name, 'permissions', k.permissions,
    'allZones', k.all_zones, 'isLimited', k.is_limited, 'addresses', k.addresses, 'expiresAt', k.expires_at, 'expired', coalesce(k.expires_at <= app_now(), false),
    'revokedAt', least(k.revoked_at, a.deleted_at),
    'useIsDue', coalesce(k.last_used_at < app_now() - interval '1 minute', true), 'zone', ${zone})`
}

/**
 * What the key `k` covers of the zone `z`: all of it (`true`), the record sets that it is limited to, or nothing (`null`). "All" covers what
 * the account owns. A shared zone is covered only if it was picked (specification, "Rules for the zone scope").
 */
const scope = sql`
  case when k.all_zones and z.account_id = k.account_id then 'true'::json
  else (select coalesce(kz.limits, 'true') from api_key_zones kz where kz.key_id = k.id and kz.zone_id = z.id) end`
const wholeScope = sql`'true'::json`

/** Identifies a request: the hash of its key's secret, and the zone in its path. */
export interface KeyLookup {
  readonly hash: Buffer
  readonly zone: ZoneRef | undefined
  /** What the same statement reads of the zone. */
  readonly preload?: Preload | undefined
}

/** The result of a lookup: a key, the zone that the request names, and the key's window after the requests of this batch. */
export interface FoundKey {
  readonly key: KeyRow
  readonly zone: CalledZone | undefined
  readonly window: KeyWindow
}

/**
 * Finds the keys with these hashes, and the zone of each lookup as the key's account sees it, in one round trip. Undefined: there is no such
 * key. Requests of live keys are counted in the rate windows, unless `limit` is undefined: then they were counted before.
 *
 * A lone lookup is counted by a faster statement. If this statement finds no live key with room in its window, a second round trip follows.
 *
 * The commit of a lone lookup does not wait for the disk. The commit of several does, unless all are for changes, which wait in their own
 * transaction (docs/decisions/0011).
 *
 * Each lookup uses an index, however many the planner expects (`offset 0` keeps the subqueries of several apart).
 */
export async function findKeys(
  db: Db,
  lookups: readonly KeyLookup[],
  limit: KeyLimit | undefined,
): Promise<(FoundKey | undefined)[]> {
  const preloads = usefulPreloads(lookups)
  const found = foundKeys(lookups, preloads, limit?.ofAccount)
  const keysOf = async (statement: Statement): Promise<(FoundKey | undefined)[]> => {
    const { rows } = await db.run(statement as Statement<{ found: FoundRow }>)
    const keys = new Array<FoundKey | undefined>(lookups.length).fill(undefined)
    for (const { found } of rows) keys[found.n] = foundKey(found, preloads[found.n])
    return keys
  }
  if (limit === undefined) return keysOf(notCounted(found))
  const [lone] = lookups.length === 1 ? await keysOf(countRequest(found, limit)) : []
  return lone === undefined ? keysOf(countRequests(found, limit)) : [lone]
}

/** The part of the statement that finds keys, for `window-store.ts`. */
function foundKeys(
  lookups: readonly KeyLookup[],
  preloads: readonly (Preload | undefined)[],
  most: Statement | undefined,
): Statement {
  const columns = [...new Set(preloads.flatMap((preload) => (preload ? [preload.column] : [])))]
  const isRelaxed = lookups.length === 1 || lookups.every(({ preload }) => preload?.isForChange)
  const asked = hasNames(lookups)
    ? askedAbove
    : columns.length > 0
      ? askedPreloads
      : hasZones(lookups)
        ? askedZones
        : askedKeys
  const rows = lookups.map((lookup, n) => askedLookup(lookup, n, preloads[n], columns))
  return sql`
    select asked.n, asked.requests, k.id, ${isCounted} as "isCounted", ${foundColumns(lookups, columns)}${most ? sql`, ${most} as most` : nothing}
    from ${isRelaxed ? relaxed : nothing} ${asked(inOrderOfKeys(rows))}
    ${lookups.length === 1 ? joinKey : joinKeys}
    ${joinZones(lookups)}`
}

// Only the columns that a batch needs, because a lone row takes one parameter for each column.
const askedKeys = sql.recordset('asked', 'n int, hash text, requests int')
const askedZones = sql.recordset('asked', 'n int, hash text, requests int, zone_id uuid, zone_name text')
const askedPreloads = sql.recordset(
  'asked',
  'n int, hash text, requests int, zone_id uuid, zone_name text, kind int, args text[]',
)
const askedAbove = sql.recordset(
  'asked',
  'n int, hash text, requests int, zone_id uuid, zone_names text[], kind int, args text[]',
)

const joinKey = sql`
  join api_keys k on k.secret_sha256 = decode(asked.hash, 'hex')
  join accounts a on a.id = k.account_id`
const joinKeys = sql`
  cross join lateral (select * from api_keys where secret_sha256 = decode(asked.hash, 'hex') offset 0) k
  cross join lateral (select deleted_at, updates_per_minute from accounts where id = k.account_id offset 0) a`

/** A lookup as a row of the statement. */
interface AskedLookup {
  readonly n: number
  readonly hash: string
  /** On the first row of each key: how many rows it has. */
  requests?: number
  readonly zone_id: string | undefined
  readonly zone_name: string | undefined
  /** Set in a batch in which a lookup has several names. */
  readonly zone_names: readonly string[] | undefined
  /** The index of the preload column, and its arguments. */
  readonly kind: number | undefined
  readonly args: readonly string[] | undefined
}

function askedLookup(
  { hash, zone }: KeyLookup,
  n: number,
  preload: Preload | undefined,
  columns: readonly Statement[],
): AskedLookup {
  return {
    n,
    hash: hash.toString('hex'),
    zone_id: zone && 'id' in zone ? zone.id : undefined,
    zone_name: zone && 'name' in zone ? zone.name : undefined,
    zone_names: zone && 'names' in zone ? zone.names : zone && 'name' in zone ? [zone.name] : undefined,
    kind: preload && columns.indexOf(preload.column),
    args: preload?.args,
  }
}

function hasZones(lookups: readonly KeyLookup[]): boolean {
  return lookups.some(({ zone }) => zone !== undefined)
}

function hasNames(lookups: readonly KeyLookup[]): boolean {
  return lookups.some(({ zone }) => zone && 'names' in zone)
}

const nothing = sql``
const relaxed = sql`(select ${withoutWaitingForDisk}) relaxed cross join`

/** If no lookup has a zone, reads nothing about zones, which would take an eighth of the statement's time. */
function foundColumns(lookups: readonly KeyLookup[], columns: readonly Statement[]): Statement {
  if (!hasZones(lookups)) return keyAlone
  if (columns.length === 0) return keyWithZone
  const cases = columns.map((column, i) => sql`when ${sql.lit(i)} then ${column}`)
  return sql`${keyJson} as key, case when z.id is not null then case asked.kind ${sql.join(cases, space)} end end as preload`
}

// Build the constant parts once.
const space = sql` `
const keyJson = keyAsJson(sql`case when z.id is not null then ${zoneAsJson(scope)} end`)
const keyWithZone = sql`${keyJson} as key, null::json as preload`
const keyAlone = sql`${keyAsJson(sql`null`)} as key, null::json as preload`

function joinZones(lookups: readonly KeyLookup[]): Statement {
  const byId = lookups.some(({ zone }) => zone && 'id' in zone)
  const byName = lookups.some(({ zone }) => zone && 'name' in zone)
  if (hasNames(lookups)) return byId ? joinZonesAboveOrById : joinZonesAbove
  return byId ? (byName ? joinZonesByEither : joinZonesById) : byName ? joinZonesByName : nothing
}

const zonesById = { id: sql`asked.zone_id` }
const zonesByName = { name: sql`asked.zone_name` }
const joinZonesById = joinZonesBy(zonesById)
const joinZonesByName = joinZonesBy(zonesByName)
const joinZonesByEither = joinZonesBy({ ...zonesById, ...zonesByName })
const zonesAbove = { names: sql`asked.zone_names` }
const joinZonesAbove = joinZonesBy(zonesAbove)
const joinZonesAboveOrById = joinZonesBy({ ...zonesById, ...zonesAbove })

function joinZonesBy(ref: Parameters<typeof visibleZone>[0]): Statement {
  return sql`left join lateral (${visibleZone(ref, sql`k.account_id`)}) z on true`
}

/** The preloads that are still valid when the requests are handled. Two changes of one zone make each other's preload stale. */
function usefulPreloads(lookups: readonly KeyLookup[]): (Preload | undefined)[] {
  if (lookups.length === 1) return [lookups[0]?.zone && lookups[0].preload]
  const zoneOf = ({ zone }: KeyLookup) =>
    zone && ('id' in zone ? zone.id : 'name' in zone ? zone.name : zone.names.join(' '))
  const changes = Map.groupBy(
    lookups.filter(({ preload }) => preload?.isForChange),
    zoneOf,
  )
  return lookups.map((lookup) => {
    const isOneOfMany = lookup.preload?.isForChange && changes.get(zoneOf(lookup))?.length !== 1
    return lookup.zone === undefined || isOneOfMany ? undefined : lookup.preload
  })
}

/** What the statement selects for a lookup, as one value (`foundAsJson`). */
interface FoundRow extends KeyWindow {
  /** Which lookup it answers. */
  readonly n: number
  readonly key: KeyRow & { readonly zone: ScopedZone | null }
  readonly preload: unknown
}

function foundKey(
  { key, preload: value, used, admitted, oldestLeavesInMs, most }: FoundRow,
  preload: Preload | undefined,
): FoundKey {
  const isRead = preload !== undefined && value !== null
  const zone = key.zone ? calledZone(key.zone, key.isLimited, isRead ? preload.read(value) : undefined) : undefined
  return { key, zone, window: { used, admitted, oldestLeavesInMs, most } }
}

/** Orders rows by key, so that two processes that lock windows cannot deadlock. The first row of each key contains the number of its rows. */
function inOrderOfKeys(rows: AskedLookup[]): AskedLookup[] {
  rows.sort((a, b) => (a.hash < b.hash ? -1 : 1))
  let first: AskedLookup | undefined
  for (const row of rows) {
    if (row.hash !== first?.hash) first = row
    first.requests = (first.requests ?? 0) + 1
  }
  return rows
}

/** The zone that a reference means for a signed-in person: a zone that the account owns or manages. */
export async function findZone(db: Db, accountId: string, ref: ZoneRef): Promise<CalledZone | undefined> {
  const { rows } = await sql<{ zone: ScopedZone }>`
    select ${zoneAsJson(wholeScope)} as zone
    from (select ${accountId}::uuid as account_id) k
    cross join lateral (${visibleZone(ref, sql`k.account_id`)}) z`.execute(db)
  return rows[0] && calledZone(rows[0].zone, false)
}

/** The zones that references mean for a caller, in order, as far as the caller can know about them. Undefined: its account sees no such zone. */
export async function readCalledZones(
  db: Db,
  caller: Caller,
  refs: readonly Exclude<ZoneRef, { names: unknown }>[],
): Promise<(CalledZone | undefined)[]> {
  const asks = refs.map((ref, n) => ({ n, zone_id: undefined, zone_name: undefined, ...named(ref) }))
  const isLimited = caller.kind === 'key' && caller.isLimited
  const [asker, zone] =
    caller.kind === 'key'
      ? [sql`(select * from api_keys where id = ${caller.keyId}) k`, zoneAsJson(scope)]
      : [sql`(select ${caller.accountId}::uuid as account_id) k`, zoneAsJson(wholeScope)]
  const { rows } = await sql<{ n: number; zone: ScopedZone }>`
    select asked.n, ${zone} as zone
    from ${askedAlone(asks)} cross join ${asker}
    cross join lateral (${visibleZone({ ...zonesById, ...zonesByName }, sql`k.account_id`)}) z`.execute(db)
  const found = new Map(rows.map(({ n, zone }) => [n, calledZone(zone, isLimited)]))
  return refs.map((_, n) => found.get(n))
}

const askedAlone = sql.recordset('asked', 'n int, zone_id uuid, zone_name text')

function named(ref: Exclude<ZoneRef, { names: unknown }>) {
  return 'id' in ref ? { zone_id: ref.id } : { zone_name: ref.name }
}

/** A zone as a statement selects it (`zoneAsJson`). */
interface ScopedZone extends Pick<CalledZone, 'id' | 'name' | 'state' | 'role'> {
  readonly scope: true | RecordLimit[] | null
}

function zoneAsJson(scope: Statement): Statement {
  return sql`json_build_object('id', z.id, 'name', z.name, 'state', z.state,
    'role', case when z.account_id = k.account_id then 'owner' else 'manager' end, 'scope', ${scope})`
}

/** `isLimited`: the key is limited to record sets. In a zone for which it has no list of them, it covers none. */
function calledZone(
  { scope, id, name, state, role }: ScopedZone,
  isLimited: boolean,
  preload: unknown = undefined,
): CalledZone {
  const limits = Array.isArray(scope) ? scope : isLimited ? [] : null
  return { id, name, state, role, covered: scope !== null, limits, preload }
}

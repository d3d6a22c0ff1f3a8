import type { RecordLimit, WireScopeEntry } from '@zonewright/contract'
import { isPartOf } from '#modules/domains/index.ts'
import { isSeenBy } from '#modules/zones/index.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** Zones and domains that a key covers, by their ids in the database. */
export interface PickedScope {
  readonly zones: readonly string[]
  readonly domains: readonly number[]
  /** The limits of a key in each of the zones, by their ids; undefined: it has none. */
  readonly limits?: ReadonlyMap<string, readonly RecordLimit[]> | undefined
}

/** The pick at index `n`, with the kind, id and name that it gives. */
export interface AskedPick {
  readonly n: number
  readonly kind?: WireScopeEntry['kind']
  readonly zone_id?: string
  readonly domain_id?: string
  readonly name?: string
}

const askedPicks = sql.recordset('asked', 'n int, kind text, zone_id uuid, domain_id text, name text')

/** A result of a pick. `id` is the id in the database. */
export interface FoundPick {
  readonly n: number
  readonly kind: WireScopeEntry['kind']
  readonly id: string
  readonly name: string
  /** The account owns it. */
  readonly isOwn: boolean
}

/** Finds the picked zones and domains that an account owns or manages. One pick may find several. */
export async function findPicks(db: Db, accountId: string, picks: readonly AskedPick[]): Promise<FoundPick[]> {
  const ofZone = sql`z.state <> 'deleted' and ${isSeenBy(sql`${accountId}::uuid`)}`
  const ofDomain = sql`d.state <> 'gone' and ${isPartOf(accountId)}`
  const { rows } = await sql<FoundPick>`
    with asked as (select * from ${askedPicks(picks)})
    select asked.n, 'zone' as kind, z.id::text as id, z.name, z.account_id = ${accountId} as "isOwn" from asked join zones z on z.id = asked.zone_id
    where (asked.name is null or asked.name = z.name) and ${ofZone}
    union all
    select asked.n, 'zone', z.id::text, z.name, z.account_id = ${accountId} from asked join zones z on z.name = asked.name
    where asked.zone_id is null and asked.kind is distinct from 'domain' and ${ofZone}
    union all
    select asked.n, 'domain', d.id::text, d.name, d.account_id = ${accountId} from asked join domains d on d.public_id = asked.domain_id
    where (asked.name is null or asked.name = d.name) and ${ofDomain}
    union all
    select asked.n, 'domain', d.id::text, d.name, d.account_id = ${accountId} from asked join domains d on d.name = asked.name
    where asked.domain_id is null and asked.kind is distinct from 'zone' and ${ofDomain}`.execute(db)
  return rows
}

/** A zone or domain of a key's scope. `id` is the id in the database. */
export interface ScopeEntry {
  readonly kind: WireScopeEntry['kind']
  readonly id: string
  readonly name: string
  /** Null: the key has no limits. */
  readonly limits: readonly RecordLimit[] | null
}

/** The scope of a key for particular zones and domains. */
export async function readEntries(db: Db, keyId: string): Promise<ScopeEntry[]> {
  const { rows } = await sql<ScopeEntry>`
    select 'zone' as kind, z.id::text as id, z.name, kz.limits
    from api_key_zones kz join zones z on z.id = kz.zone_id where kz.key_id = ${keyId}
    union all
    select 'domain', d.id::text, d.name, null
    from api_key_domains kd join domains d on d.id = kd.domain_id where kd.key_id = ${keyId}`.execute(db)
  return rows
}

/** Replaces the scope of a key. */
export async function replaceScope(tx: Tx, keyId: string, entries: readonly ScopeEntry[]): Promise<void> {
  await Promise.all([
    sql`delete from api_key_zones where key_id = ${keyId}`.execute(tx),
    sql`delete from api_key_domains where key_id = ${keyId}`.execute(tx),
  ])
  const of = (kind: ScopeEntry['kind']) => entries.filter((entry) => entry.kind === kind)
  const limits = new Map(of('zone').flatMap(({ id, limits }) => (limits ? [[id, limits]] : [])))
  const domains = of('domain').map(({ id }) => Number(id))
  await insertScope(tx, keyId, { zones: of('zone').map(({ id }) => id), domains, limits })
}

/** Prevents deleted zones from returning to the scope of the key when they are restored. */
export async function forgetDeletedZones(tx: Tx, keyId: string): Promise<void> {
  await sql`delete from deleted_zone_scopes where key_id = ${keyId}`.execute(tx)
}

/** Writes the scope of a key for particular zones and domains. */
export async function insertScope(tx: Tx, keyId: string, scope: PickedScope): Promise<void> {
  const zones = scope.zones.map((zone_id) => ({ zone_id, limits: scope.limits?.get(zone_id) }))
  await Promise.all([
    sql`insert into api_key_zones (key_id, zone_id, limits) select ${keyId}, picked.zone_id, picked.limits from ${keyZones(zones)}`.execute(
      tx,
    ),
    sql`insert into api_key_domains (key_id, domain_id) select ${keyId}, unnest(${[...scope.domains]}::bigint[])`.execute(
      tx,
    ),
  ])
}

const keyZones = sql.recordset('picked', 'zone_id uuid, limits json')

/** The column `limits` of a key `k`, ordered by the names of their zones. Null: the key has none. */
export const limitsColumn = sql`
  case when k.is_limited then (
    select coalesce(json_agg(json_build_object('zone', z.name, 'names', l.value -> 'names', 'types', l.value -> 'types')
      order by z.name, z.id, l.ordinality), '[]')
    from api_key_zones kz join zones z on z.id = kz.zone_id
    cross join lateral json_array_elements(kz.limits) with ordinality l
    where kz.key_id = k.id) end as limits`

/** The column `zones`: the scope of a key `k`, ordered by name, a zone before the domain of its name. Null: everything that its account owns. */
export const scopeColumn = sql`
  case when not k.all_zones then (
    select coalesce(json_agg(entry order by entry.name, entry.kind desc, entry.id), '[]') from (
      select z.id::text as id, z.name, 'zone' as kind from api_key_zones kz join zones z on z.id = kz.zone_id where kz.key_id = k.id
      union all
      select d.public_id, d.name, 'domain' from api_key_domains kd join domains d on d.id = kd.domain_id where kd.key_id = k.id
    ) entry) end as zones`

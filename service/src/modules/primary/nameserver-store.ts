import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'

/** A configured nameserver: it is named in every zone, and notified and queried at its address. */
export interface NameserverEntry {
  /** Host name without trailing dot. */
  readonly name: string
  /** `127.0.0.1:5301` or `[::1]:5301`. */
  readonly address: string
}

/** The configured nameservers, in the order of their NS records, as a value in another statement. */
export const configuredNames = sql`(select array_agg(name order by position) from nameservers where retired_at is null)`

/** Our nameservers that a zone `z` of the surrounding statement names at its current serial. */
export const ourNames: Statement = sql`coalesce((select names from former_nameservers where zone_id = z.id), ${configuredNames})`

/** All names in the NS records of such a zone: our nameservers, then the customer's own secondaries. */
export const publishedNames: Statement = sql`${ourNames} || coalesce(z.secondary_names, '{}')`

export async function readConfiguredNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ names: string[] | null }>`select ${configuredNames} as names`.execute(db)
  return rows[0]?.names ?? []
}

/** Locks the table of nameservers until the transaction ends, so that two starting processes agree. */
export async function lockNameservers(tx: Tx): Promise<void> {
  await sql`lock table nameservers in share row exclusive mode`.execute(tx)
}

/** How long a removed nameserver is still notified of changes: the delegations of parents are cached for at most two days. */
const retirement = sql`interval '2 days'`

/**
 * Makes these the nameservers. The others are retired. A new one that starts lagging is not waited for until it has
 * caught up. One that is added again is new.
 */
export async function writeNameservers(
  tx: Tx,
  nameservers: readonly NameserverEntry[],
  { startLagging }: { startLagging: boolean },
): Promise<void> {
  const names = nameservers.map(({ name }) => name)
  const addresses = nameservers.map(({ address }) => address)
  await sql`
    update nameservers set retired_at = app_now() where retired_at is null and name <> all(${names}::text[])`.execute(
    tx,
  )
  await sql`
    insert into nameservers as known (name, address, position, lagging_since)
    select n.*, case when ${startLagging} then app_now() - interval '5 min' end
    from unnest(${names}::text[], ${addresses}::text[]) with ordinality as n
    on conflict (name) do update set address = excluded.address, position = excluded.position, retired_at = null,
      lagging_since = case when known.retired_at is null then known.lagging_since else excluded.lagging_since end`.execute(
    tx,
  )
}

/** The nameservers that were removed recently, except those that continue under another name. */
export async function readRetired(db: Db): Promise<NameserverEntry[]> {
  const { rows } = await sql<NameserverEntry>`
    select name, address from nameservers
    where retired_at > app_now() - ${retirement}
      and address not in (select address from nameservers where retired_at is null) order by name`.execute(db)
  return rows
}

/** Deletes nameservers whose `retirement` is over, with their sightings. */
export async function forgetRetired(db: Db): Promise<void> {
  await sql`delete from nameservers where retired_at <= app_now() - ${retirement}`.execute(db)
}

import { namesAbove } from '#modules/zones/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

/** A live zone. */
export interface HostedZone {
  readonly id: string
  readonly name: string
}

/** For each host, the live zone that it is in, in their order; undefined: none here. */
export async function zonesOfHosts(db: Db, hosts: readonly string[]): Promise<(HostedZone | undefined)[]> {
  const names = hosts.flatMap((host, place) => [host, ...namesAbove(host)].map((name) => ({ place, name })))
  const { rows } = await sql<HostedZone & { place: number }>`
    select distinct on (asked.place) asked.place, z.id, z.name
    from ${askedNames(names)} join zones z on z.name = asked.name and z.state = 'live'
    order by asked.place, length(z.name) desc`.execute(db)
  const found = new Map(rows.map(({ place, ...zone }) => [place, zone]))
  return hosts.map((_, place) => found.get(place))
}

const askedNames = sql.recordset('asked', 'place int, name text')

/** An rrset that decides where a host name leads. */
export interface HostedRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
}

/** All rrsets of a zone at these names. */
export async function rrsetsAtNames(db: Db, zoneId: string, names: readonly string[]): Promise<HostedRrset[]> {
  const { rows } = await sql<HostedRrset>`
    select name, type, ttl, records from zone_rrsets where zone_id = ${zoneId} and name = any(${names}::text[])`.execute(
    db,
  )
  return rows
}

/** Those of these names of a zone that exist, because there is a record at them or below them. */
export async function existingNames(db: Db, zoneId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) asked(name) where exists (
      select from zone_rrsets r where r.zone_id = ${zoneId} and (r.name = asked.name or right(r.name, length(asked.name) + 1) = '.' || asked.name))`.execute(
    db,
  )
  return new Set(rows.map(({ name }) => name))
}

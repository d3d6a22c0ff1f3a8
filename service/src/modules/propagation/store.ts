import { stalledSince } from '#modules/publication/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

/** A nameserver, and what publication last saw it serve for a zone. Serials in the database's form. */
export interface SeenNameserver {
  readonly name: string
  readonly address: string
  /** The zone's own serial. */
  readonly zoneSerial: number
  /** Null: it has not served the zone yet. */
  readonly serial: number | null
  readonly seenAt: Date | null
  /** Since when it has not followed the zone; null: it follows, or is only seconds behind. */
  readonly stalledSince: Date | null
}

/** In the order of their NS records. */
export async function readSeen(db: Db, zoneId: string): Promise<SeenNameserver[]> {
  const { rows } = await sql<SeenNameserver>`
    select n.name, n.address, z.serial as "zoneSerial", s.serial, s.seen_at as "seenAt",
      ${stalledSince(sql`z.id`, sql`n.name`)} as "stalledSince"
    from zones z cross join nameservers n left join zone_sightings s on s.zone_id = z.id and s.nameserver = n.name
    where z.id = ${zoneId} and n.retired_at is null order by n.position`.execute(db)
  return rows
}

export async function readSerial(db: Db, zoneId: string): Promise<number | undefined> {
  const { rows } = await sql<{ serial: number }>`
    select serial from zones where id = ${zoneId} and state <> 'deleted'`.execute(db)
  return rows[0]?.serial
}

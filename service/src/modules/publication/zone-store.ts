import type { StoredRrset } from '#modules/records/index.ts'
import { type Db, sql } from '#platform/db.ts'
import type { JournalStep } from './rules.ts'

/** A live zone and where it is. */
export interface LiveZone {
  readonly id: string
  readonly name: string
  readonly serial: number
}

/** What an SOA query or an IXFR asks for. `have` is the asker's 32-bit serial; null: the SOA will do. */
export interface ZoneQuestion {
  readonly name: string
  readonly have: number | null
}

export interface ZoneAnswer {
  readonly serial: number
  readonly rrsetCount: number
  /** From the asker's serial on, oldest first; cut off where a whole zone would be less. */
  readonly journal: readonly JournalStep<StoredRrset>[]
}

/** Answers many askers in one statement, in their order; undefined where no live zone has the name. */
export async function readJournals(db: Db, asked: readonly ZoneQuestion[]): Promise<(ZoneAnswer | undefined)[]> {
  const names = asked.map(({ name }) => name)
  const serials = asked.map(({ have }) => have)
  // The journal begins at the asker's 32 bits made whole again; with half of them or more ahead, the asker is newer.
  const { rows } = await sql<{ place: number } & ZoneAnswer>`
    select a.place, z.serial, z.rrset_count as "rrsetCount", coalesce(j.journal, '[]') as journal
    from unnest(${names}::text[], ${serials}::int8[]) with ordinality as a(name, have, place)
    join zones z on z.name = a.name and z.state = 'live'
    left join lateral (
      select json_agg(json_build_object('from', from_serial, 'to', to_serial, 'removed', removed, 'added', added)
        order by to_serial) as journal
      from (
        select * from zone_journal
        where zone_id = z.id and (z.serial - a.have) & 4294967295 < 2147483648
          and to_serial > z.serial - ((z.serial - a.have) & 4294967295) and to_serial <= z.serial
        order by to_serial limit z.rrset_count + 3
      ) steps
    ) j on a.have is not null`.execute(db)
  const answers: (ZoneAnswer | undefined)[] = asked.map(() => undefined)
  for (const { place, ...answer } of rows) answers[place - 1] = answer
  return answers
}

/** Every rrset of a live zone with the serial that they belong to: one statement is one snapshot. */
export async function readWholeZone(
  db: Db,
  name: string,
): Promise<{ serial: number; rrsets: readonly StoredRrset[] } | undefined> {
  const { rows } = await sql<{ serial: number } & (StoredRrset | { name: null })>`
    select z.serial, r.name, r.type, r.ttl, r.records
    from zones z left join zone_rrsets r on r.zone_id = z.id
    where z.name = ${name} and z.state = 'live' order by r.name, r.type`.execute(db)
  const [first] = rows
  return first && { serial: first.serial, rrsets: rows.filter((row) => row.name !== null) }
}

/** Those of the zones that are live, with their newest serials. */
export async function readLiveZones(db: Db, zoneIds: readonly string[]): Promise<LiveZone[]> {
  const { rows } = await sql<LiveZone>`
    select id, name, serial from zones where id = any(${zoneIds}::uuid[]) and state = 'live'`.execute(db)
  return rows
}

export async function anyZoneIsLive(db: Db): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`select exists (select from zones where state = 'live') as live`.execute(
    db,
  )
  return rows[0]?.live ?? false
}

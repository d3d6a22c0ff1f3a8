import type { StoredRrset } from '#modules/records/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { namesOf } from './nameserver-store.ts'
import type { ZoneStep } from './zone-steps.ts'

/** What an SOA query or an IXFR asks for. `have` is the requester's 32-bit serial; null: the SOA will do. */
export interface ZoneQuestion {
  readonly name: string
  readonly have: number | null
}

export interface ZoneAnswer {
  readonly serial: number
  readonly rrsetCount: number
  /** Those that the zone names at this serial. */
  readonly nameservers: readonly string[]
  /** From the requester's serial on, oldest first; cut off where a whole zone would be less, or more would be read than is to be. */
  readonly journal: readonly ZoneStep[]
  /** Of the steps that may be sent, also where fewer were read; 0 where a whole zone would be less. */
  readonly journalBytes: number
}

/** More steps than any IXFR has: so many changes are more than the zone itself. Of a row of `zones` that is called `z`. */
export const mostSteps = sql`z.rrset_count + 3`

/**
 * Bytes of the steps that are read for one IXFR: more are far more than the zone itself, and not to be read as one value. The
 * allowance is so large that steps which come to little, taken together, are not sent as a whole zone for that.
 */
const mostBytes = sql`z.bytes + 16777216`

/**
 * Answers many requesters in one statement, in their order; undefined where no live zone has the name. Of the steps for each no more
 * than `maxBytes` are read.
 */
export async function readJournals(
  db: Db,
  asked: readonly ZoneQuestion[],
  maxBytes: number,
): Promise<(ZoneAnswer | undefined)[]> {
  const names = asked.map(({ name }) => name)
  const serials = asked.map(({ have }) => have)
  // The journal begins at the requester's 32 bits made whole again; with half of them or more ahead, the requester is newer.
  const { rows } = await sql<{ place: number } & ZoneAnswer>`
    select a.place, z.serial, z.rrset_count as "rrsetCount", ${namesOf(sql`z.id`)} as nameservers,
      coalesce(j.journal, '[]') as journal,
      case when j.bytes <= ${mostBytes} then j.bytes else 0 end::int8 as "journalBytes"
    from unnest(${names}::text[], ${serials}::int8[]) with ordinality as a(name, have, place)
    join zones z on z.name = a.name and z.state = 'live'
    left join lateral (
      select json_agg(json_build_object('from', from_serial, 'to', to_serial, 'removed', removed, 'added', added)
        order by to_serial) filter (where so_far <= least(${mostBytes}, ${maxBytes})) as journal, max(so_far) as bytes
      from (
        select *, sum(bytes) over (order by to_serial rows unbounded preceding) as so_far from zone_journal
        where zone_id = z.id and (z.serial - a.have) & 4294967295 < 2147483648
          and to_serial > z.serial - ((z.serial - a.have) & 4294967295) and to_serial <= z.serial
        order by to_serial limit ${mostSteps}
      ) steps
    ) j on a.have is not null`.execute(db)
  const answers: (ZoneAnswer | undefined)[] = asked.map(() => undefined)
  for (const { place, ...answer } of rows) answers[place - 1] = answer
  return answers
}

/** A live zone's records, with the serial and the nameservers that belong to them. */
export interface WholeZone {
  readonly serial: number
  readonly nameservers: readonly string[]
  readonly rrsets: readonly StoredRrset[]
}

/** Reads all of a live zone: one statement is one snapshot. */
export async function readWholeZone(db: Db, name: string): Promise<WholeZone | undefined> {
  const { rows } = await sql<WholeZone>`
    select z.serial, ${namesOf(sql`z.id`)} as nameservers, (
      select coalesce(json_agg(json_build_object('name', r.name, 'type', r.type, 'ttl', r.ttl, 'records', r.records)
        order by r.name, r.type), '[]') from zone_rrsets r where r.zone_id = z.id) as rrsets
    from zones z where z.name = ${name} and z.state = 'live'`.execute(db)
  return rows[0]
}

import { servedRrsets } from '#modules/alias/index.ts'
import type { StoredRrset } from '#modules/records/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { publishedNames } from './nameserver-store.ts'
import type { ZoneStep } from './zone-steps.ts'

/** What an SOA query or an IXFR requests. `have` is the requester's 32-bit serial; null: only the SOA. */
export interface ZoneQuestion {
  readonly name: string
  readonly have: number | null
}

export interface ZoneAnswer {
  readonly serial: number
  readonly rrsetCount: number
  /** The nameservers that the zone names at this serial. */
  readonly nameservers: readonly string[]
  /** From the requester's serial on, oldest first; truncated if the whole zone would be smaller, or if they exceed the limit. */
  readonly journal: readonly ZoneStep[]
  /** Bytes of the steps that may be sent, even if fewer were read; 0 if the whole zone would be smaller. */
  readonly journalBytes: number
}

/** More steps than any IXFR has, because that many changes are larger than the zone itself. For a row `z` of `zones`. */
export const mostSteps = sql`z.rrset_count + 3`

/**
 * Bytes of the steps that are read for one IXFR: more would be far larger than the zone itself, and must not be read as one value. The
 * allowance is large enough that steps which combine to little are not sent as a whole zone because of it.
 */
const mostBytes = sql`z.bytes + 16777216`

/**
 * Answers many requesters in one statement, in their order; undefined if no live zone has the name. At most `maxBytes` of the steps
 * are read for each.
 */
export async function readJournals(
  db: Db,
  asked: readonly ZoneQuestion[],
  maxBytes: number,
): Promise<(ZoneAnswer | undefined)[]> {
  const names = asked.map(({ name }) => name)
  const serials = asked.map(({ have }) => have)
  // The journal starts at the requester's 32 bits, widened to the full serial; if it is half the range or more ahead, the requester is newer.
  const { rows } = await sql<{ place: number } & ZoneAnswer>`
    select a.place, z.serial, z.rrset_count as "rrsetCount", ${publishedNames} as nameservers,
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
    select z.serial, ${publishedNames} as nameservers, (
      select coalesce(json_agg(json_build_object('name', r.name, 'type', r.type, 'ttl', r.ttl, 'records', r.records)
        order by r.name, r.type), '[]') from ${servedRrsets(sql`z.id`)} r) as rrsets
    from zones z where z.name = ${name} and z.state = 'live'`.execute(db)
  return rows[0]
}

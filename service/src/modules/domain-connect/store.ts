import { type Db, sql } from '#platform/postgres/index.ts'

/** A live zone whose TXT of Domain Connect has to be written or removed. */
export interface ZoneWithout {
  readonly id: string
  /** The owner name of the TXT. */
  readonly name: string
}

/**
 * Checks up to `limit` live zones by id, after `after`, and returns those that lack the TXT with this record data; undefined: those that have any TXT
 * of the service. `last`: where the next page starts; undefined: at the first zone.
 */
export async function pageOfZones(
  db: Db,
  wanted: string | undefined,
  after: string,
  limit: number,
): Promise<{ zones: readonly ZoneWithout[]; last: string | undefined }> {
  const { rows } = await sql<ZoneWithout & { isDue: boolean }>`
    select z.id, at.name, case when ${wanted ?? null}::text is null
      then exists (select from zone_rrsets r where r.zone_id = z.id and r.name = at.name and r.type = 'TXT' and r.managed)
      else not exists (
        select from zone_rrsets r where r.zone_id = z.id and r.name = at.name
          and (r.type in ('CNAME', 'NS') or r.type = 'TXT' and (not r.managed or r.records = array[${wanted ?? null}::text])))
        and not exists (select from zone_rrsets r where r.zone_id = z.id and r.name = z.name and r.type = 'DNAME')
      end as "isDue"
    from (
      select id, name from zones where state = 'live' and id > ${after}::uuid order by id limit ${limit}
    ) z cross join lateral (select '_domainconnect.' || z.name as name) at
    order by z.id`.execute(db)
  return {
    zones: rows.filter(({ isDue }) => isDue).map(({ id, name }) => ({ id, name })),
    last: rows.length < limit ? undefined : rows.at(-1)?.id,
  }
}

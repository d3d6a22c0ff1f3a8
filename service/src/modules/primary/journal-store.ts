import { nilId } from '#modules/zones/index.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { mostSteps } from './zone-store.ts'

/** Maximum number of zones that one statement reads, and of steps that it deletes, so that none takes long. */
const page = { zones: 500, steps: 50_000 }

/**
 * Deletes the steps of zones' journals that are older than `days`, those that are no longer sent to any secondary, because the
 * zone itself is smaller, and those of erased zones. Returns their number.
 */
export async function pruneZoneJournals(db: Db, days: number): Promise<number> {
  let pruned = 0
  for (let after: string | null = nilId; after !== null; ) {
    const { steps, last }: PrunedPage = await prunePage(db, after, days)
    pruned += steps
    // If one statement has deleted as many as it may, there may be more of the same zones.
    if (steps < page.steps) after = last
  }
  return pruned
}

interface PrunedPage {
  readonly steps: number
  /** The last zone that was read; null: there are no more. */
  readonly last: string | null
}

async function prunePage(db: Db, after: string, days: number): Promise<PrunedPage> {
  // From one zone to the next by the index, however many steps each has.
  const { rows } = await sql<PrunedPage>`
    with recursive journals as (
      (select zone_id, 1 as place from zone_journal where zone_id > ${after}::uuid order by zone_id limit 1)
      union all
      select next.zone_id, place + 1 from journals cross join lateral (
        select zone_id from zone_journal where zone_id > journals.zone_id order by zone_id limit 1
      ) next where place < ${page.zones}
    ), old as (
      select j.zone_id, greatest(
        (select to_serial from zone_journal where zone_id = j.zone_id
          order by to_serial desc offset coalesce(${mostSteps}, 0) limit 1),
        (select max(to_serial) from zone_journal
          where zone_id = j.zone_id and at < app_now() - ${days}::int * interval '1 day')
      ) as to_serial
      from journals j left join zones z on z.id = j.zone_id
    ), gone as (
      delete from zone_journal where ctid = any(array(
        select s.ctid from old join zone_journal s on s.zone_id = old.zone_id and s.to_serial <= old.to_serial
        limit ${page.steps}
      )) returning 1
    )
    select (select count(*) from gone)::int as steps, (select zone_id from journals order by place desc limit 1) as last`.execute(
    db,
  )
  return rows[0] ?? { steps: 0, last: null }
}

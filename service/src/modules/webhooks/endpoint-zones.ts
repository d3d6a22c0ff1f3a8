import { displayQuoted } from '@zonewright/contract'
import { isSeenBy, parseZoneRef } from '#modules/zones/index.ts'
import { firstCharacters } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** A zone that an endpoint is limited to. */
export interface EndpointZone {
  readonly id: string
  readonly name: string
}

/**
 * The zones of an endpoint `e`, by name; null: all. Zones that were deleted, or to which its account has no access, are left out. So the list can be empty,
 * and then the endpoint gets no events.
 */
export const zonesColumn = sql`
  case when e.zone_limited then (
    select coalesce(json_agg(json_build_object('id', z.id, 'name', z.name) order by z.name, z.id), '[]')
    from webhook_endpoint_zones ez join zones z on z.id = ez.zone_id
    where ez.endpoint_id = e.id and z.state <> 'deleted' and ${isSeenBy(sql`e.account_id`)}) end as zones`

/** Which of these zones an endpoint `e` is limited to; null: not limited. Includes deleted zones, because their last event is their deletion. */
export function zonesAmong(zoneIds: readonly string[]) {
  return sql`
    case when e.zone_limited then array(
      select ez.zone_id from webhook_endpoint_zones ez where ez.endpoint_id = e.id and ez.zone_id = any(${[...zoneIds]}::uuid[])
    ) end`
}

/** The ids of the zones that an account selects by name or id. A name selects every zone of the name that the account sees. Throws `validation_failed`. */
export async function pickZones(db: Db, accountId: string, refs: readonly string[]): Promise<string[]> {
  const asked = refs.map((ref, n) => {
    const parsed = parseZoneRef(ref)
    return 'id' in parsed ? { n, zone_id: parsed.id } : { n, name: parsed.name }
  })
  const { rows } = await sql<{ n: number; id: string }>`
    select asked.n, z.id from ${askedZones(asked)} join zones z on z.id = asked.zone_id
    where z.state <> 'deleted' and ${isSeenBy(sql`${accountId}::uuid`)}
    union all
    select asked.n, z.id from ${askedZones(asked)} join zones z on z.name = asked.name
    where z.state <> 'deleted' and ${isSeenBy(sql`${accountId}::uuid`)}`.execute(db)
  const found = new Set(rows.map(({ n }) => n))
  const details = refs.flatMap((ref, n) =>
    found.has(n)
      ? []
      : [
          {
            path: `/zones/${n}`,
            code: 'not_found',
            message: `The zone ${displayQuoted(firstCharacters(ref))} does not exist, or this account has no access to it.`,
          },
        ],
  )
  if (details.length > 0) throw new Refusal('validation_failed', details[0]?.message ?? '', { details })
  return [...new Set(rows.map(({ id }) => id))]
}

const askedZones = sql.recordset('asked', 'n int, zone_id uuid, name text')

/** Replaces the zones of a locked endpoint; null: all zones. */
export async function replaceZones(tx: Tx, endpointId: string, zoneIds: readonly string[] | null): Promise<void> {
  await sql`update webhook_endpoints set zone_limited = ${zoneIds !== null} where id = ${endpointId}`.execute(tx)
  await sql`
    delete from webhook_endpoint_zones where endpoint_id = ${endpointId} and zone_id <> all(${[...(zoneIds ?? [])]}::uuid[])`.execute(
    tx,
  )
  if (zoneIds !== null)
    await sql`
      insert into webhook_endpoint_zones (endpoint_id, zone_id) select ${endpointId}, unnest(${[...zoneIds]}::uuid[])
      on conflict do nothing`.execute(tx)
}

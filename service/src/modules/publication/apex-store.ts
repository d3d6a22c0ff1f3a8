import { configuredNames, type ZoneStep } from '#modules/primary/index.ts'
import { advanceStatement, nilId, serialClock } from '#modules/zones/index.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'

/** Records that every zone published so far names these nameservers; a zone that is already recorded keeps its own. */
export async function keepFormerNames(tx: Tx, names: readonly string[]): Promise<void> {
  // Adding a zone records a catalog change: none may go live between this read and the commit.
  await sql`lock table zone_moves in share row exclusive mode`.execute(tx)
  await sql`
    insert into former_nameservers (zone_id, names)
    select id, ${[...names]}::text[] from zones where live_at is not null and state <> 'pending'
    on conflict do nothing`.execute(tx)
  // Plans are kept, and this one was made while the table was empty.
  await sql`analyze former_nameservers`.execute(tx)
}

/** Deletes the records of zones that name exactly the configured nameservers. */
export async function forgetUnchangedNames(tx: Tx): Promise<void> {
  await sql`
    delete from former_nameservers f using (select ${configuredNames} as names) now
    where f.names[1] = now.names[1] and f.names <@ now.names and f.names @> now.names`.execute(tx)
}

/** Live zones that still name former nameservers. */
export async function countFormer(db: Db): Promise<number> {
  const { rows } = await sql<{ zones: number }>`
    select count(*)::int as zones from former_nameservers f join zones z on z.id = f.zone_id where z.state = 'live'`.execute(
    db,
  )
  return rows[0]?.zones ?? 0
}

/** Whether a zone, or a delegation between zones here, still names former nameservers. */
export const isAnyFormerLeft = sql`
  exists (select from (select from former_nameservers order by zone_id limit 1) apex)
  or exists (select from (select from former_cuts order by zone_id, name limit 1) cut)`

/** A zone that still names former nameservers. */
export interface FormerZone {
  readonly id: string
  readonly former: readonly string[]
}

/** The next live ones by id, after `after`. */
export async function pageOfFormer(db: Db, after: string | undefined, limit: number): Promise<FormerZone[]> {
  // Not a join: this reads only as many zones as are needed.
  const { rows } = await sql<FormerZone>`
    select zone_id as id, names as former from former_nameservers
    where zone_id > ${after ?? nilId}::uuid and (select state from zones where id = zone_id) = 'live'
    order by zone_id limit ${limit}`.execute(db)
  return rows
}

/** A live, locked zone that must name the configured nameservers. */
export interface MovingZone extends FormerZone {
  readonly name: string
  readonly version: number
  readonly serial: number
  readonly rrsetCount: number
  readonly bytes: number
  readonly serialClock: number
  /** The names of the customer's own secondaries, which it keeps. */
  readonly secondaryNames: readonly string[]
  /** New nameservers that have not yet been seen to serve the zone. */
  readonly unseen: readonly string[]
}

/**
 * Locks the live ones of these zones, except those that a customer's change has locked, and returns which nameservers serve them.
 *
 * The nameservers are also locked: they cannot be configured again before the transaction ends.
 */
export async function lockMoving(tx: Tx, zoneIds: readonly string[]): Promise<MovingZone[]> {
  await sql`lock table nameservers in share mode`.execute(tx)
  const { rows } = await sql<MovingZone>`
    select z.id, z.name, z.version, z.serial, z.rrset_count as "rrsetCount", z.bytes, f.names as former,
      coalesce(z.secondary_names, '{}') as "secondaryNames", ${serialClock} as "serialClock",
      array(select n.name from nameservers n where n.retired_at is null and n.name <> all(f.names)
        and not exists (select from zone_sightings s where s.zone_id = z.id and s.nameserver = n.name)) as unseen
    from former_nameservers f join zones z on z.id = f.zone_id
    where f.zone_id = any(${zoneIds}::uuid[]) and z.state = 'live' for no key update of z skip locked`.execute(tx)
  return rows
}

/** Gives each zone its next serial, with the journal step to it, and records that it names the configured nameservers. */
export async function writeMoves(tx: Tx, moves: readonly { zone: MovingZone; step: ZoneStep }[]): Promise<void> {
  const steps = moves.map(({ zone, step: { from, to, removed, added } }) => ({
    zone_id: zone.id,
    from_serial: from,
    to_serial: to,
    removed,
    added,
  }))
  await tx.runTogether([
    advanceStatement(
      moves.map(({ zone: { id, version, rrsetCount, bytes }, step }) => ({
        id,
        version,
        rrsetCount,
        bytes,
        serial: step.to,
      })),
    ),
    journalStatement(steps),
    sql`delete from former_nameservers where zone_id = any(${moves.map(({ zone }) => zone.id)}::uuid[]) returning zone_id`,
  ])
}

/** Inserts steps into the journals of zones, in the columns of its table. */
export function journalStatement(steps: Parameters<typeof journalSteps>[0]): Statement {
  return sql`
    insert into zone_journal (zone_id, from_serial, to_serial, removed, added)
    select * from ${journalSteps(steps)} returning to_serial`
}

const journalSteps = sql.recordset(
  'step',
  'zone_id uuid, from_serial bigint, to_serial bigint, removed json, added json',
)

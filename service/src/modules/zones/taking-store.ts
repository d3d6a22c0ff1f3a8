import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { StandingZone } from './rules.ts'
import { namesAbove, spanBelow } from './zone-name.ts'

/** A name, and how it may change. */
export interface Taking {
  readonly name: string
  /** The account in which the name may go live. Other accounts may then lose their deleted zones of it, and zones below it. */
  readonly by?: string | undefined
  /** The name goes live only if the account has a live zone above it. Default: always. */
  readonly onlyBelowOwn?: boolean
}

/** How many times taking the locks is tried. */
const maxTries = 5

/**
 * Locks all zones that determine who has these names: every zone of the names and above them, because each may go live a moment later,
 * those below that may be lost with them, and the zones with these ids.
 *
 * Zones are locked in one order, by id. If other zones have appeared while it waited, it releases its locks and starts again.
 */
export async function lockNames(tx: Tx, takings: readonly Taking[], zoneIds: readonly string[] = []): Promise<void> {
  await readUnderLocks(tx, takings, async () => undefined, zoneIds)
}

/** The same, with a read that is sent after the locks and so sees everything committed while they waited. It is repeated with them. */
export async function readUnderLocks<T>(
  tx: Tx,
  takings: readonly Taking[],
  read: () => Promise<T>,
  zoneIds: readonly string[] = [],
): Promise<T> {
  const wanted = zonesWithPart(takings)
  for (let tries = 1; ; tries++) {
    const [, { rows: locked }, { rows: seen }, found] = await Promise.all([
      sql`savepoint names`.execute(tx),
      sql<{ id: string }>`
        select z.id from zones z where z.id = any(${[...zoneIds]}::uuid[] || array(${wanted}))
        order by z.id for no key update`.execute(tx),
      sql<{ id: string }>`${wanted}`.execute(tx), // a later statement: it sees what was committed while the other one waited
      read(),
    ])
    const held = new Set(locked.map(({ id }) => id))
    if (tries === maxTries || seen.every(({ id }) => held.has(id))) return found
    await sql`rollback to savepoint names`.execute(tx)
  }
}

function zonesWithPart(takings: readonly Taking[]): Statement {
  const asked = takings.map(({ name, by, onlyBelowOwn = false }) => {
    const [first, past] = spanBelow(name)
    return { name, above: namesAbove(name), first, past, account: by, onlyBelowOwn }
  })
  return sql`
    select part.id
    from ${askedTakings(asked)}
    cross join lateral (
      select id from zones where name = asked.name and (state <> 'deleted' or account_id <> asked.account)
      union all
      select id from zones where name = any(asked.above)
      union all
      select id from zones
      where ${isAddedBelow(sql`asked.first`, sql`asked.past`)} and account_id <> asked.account
        and (not asked."onlyBelowOwn" or exists (
          select from zones own
          where own.name = any(asked.above) and own.state = 'live' and own.account_id = asked.account))
    ) part`
}

const askedTakings = sql.recordset(
  'asked',
  `name text, above text[], first text, past text, account uuid, "onlyBelowOwn" boolean`,
)

/** Other accounts' zones at and below a name that they may lose when it goes live: `OthersZone`s as JSON. */
export function othersOf(name: string, accountId: string): Statement {
  const [first, past] = spanBelow(name)
  return sql`(
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'accountId', account_id, 'state', state)), '[]') from (
      select * from zones where name = ${name} and state = 'deleted' and live_at is not null
      union all
      select * from zones where ${isAddedBelow(sql`${first}`, sql`${past}`)}
    ) others where account_id <> ${accountId} and lost_at is null)`
}

/** Zones that are or were live because of a zone or domain above them in their account: the condition of the index `zones_added_below`. */
function isAddedBelow(first: Statement, past: Statement): Statement {
  return sql`origin = 'added' and not vouched and live_at is not null and reverse(name) > ${first} and reverse(name) < ${past}`
}

/** Which of these names are live in one of the accounts and do not depend on a zone above them. */
export async function standingZones(
  db: Db,
  names: readonly string[],
  accountIds: readonly string[],
): Promise<StandingZone[]> {
  const { rows } = await sql<StandingZone>`
    select name, account_id as "accountId" from zones
    where name = any(${[...names]}) and state = 'live' and account_id = any(${[...accountIds]}::uuid[])
      and (origin <> 'added' or vouched)`.execute(db)
  return rows
}

/** Their names have gone to another account, or were given up in a contest: deleted zones of these names cannot be restored. */
export async function markLost(tx: Tx, zoneIds: readonly string[]): Promise<void> {
  await sql`update zones set lost_at = app_now() where id = any(${[...zoneIds]}::uuid[])`.execute(tx)
}

import { type Db, recordset, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { StandingZone } from './rules.ts'
import { namesAbove, spanBelow } from './zone-name.ts'

/** A name, and what may become of it. */
export interface Taking {
  readonly name: string
  /** The account in which it may go live: others may lose their deleted zones of it, and zones below it, then. */
  readonly by?: string | undefined
  /** It goes live only where the account has a live zone above it. Left out: wherever. */
  readonly onlyBelowOwn?: boolean
}

/** How often a lock is begun anew. */
const maxTries = 5

/**
 * Locks all that has a part in who has these names: every zone of them and above them, since each may be live a moment later, and
 * of those below what may go with them; and the zones of these ids.
 *
 * All in one order, by id: where others have come while it waited, what it holds by then is let go, and all is locked anew.
 */
export async function lockNames(tx: Tx, takings: readonly Taking[], zoneIds: readonly string[] = []): Promise<void> {
  await readUnderLocks(tx, takings, async () => undefined, zoneIds)
}

/** The same, with a reading that travels behind the locks: it sees what came while they were waited for. Done anew with them. */
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
      sql<{ id: string }>`${wanted}`.execute(tx), // a later statement: it sees what came while the other one waited
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

const askedTakings = recordset(
  'asked',
  `name text, above text[], first text, past text, account uuid, "onlyBelowOwn" boolean`,
)

/** What other accounts have of a name and below it, and may lose when it goes live: `OthersZone`s as JSON. */
export function othersOf(name: string, accountId: string): Statement {
  const [first, past] = spanBelow(name)
  return sql`(
    select coalesce(json_agg(json_build_object('id', id, 'name', name, 'accountId', account_id, 'state', state)), '[]') from (
      select * from zones where name = ${name} and state = 'deleted' and live_at is not null
      union all
      select * from zones where ${isAddedBelow(sql`${first}`, sql`${past}`)}
    ) others where account_id <> ${accountId} and lost_at is null)`
}

/** Zones that are live, or were, because a zone or domain above them was their account's: the condition of the index `zones_added_below`. */
function isAddedBelow(first: Statement, past: Statement): Statement {
  return sql`origin = 'added' and not vouched and live_at is not null and reverse(name) > ${first} and reverse(name) < ${past}`
}

/** Of these names, those that are live in one of the accounts and need no zone above them for it. */
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

/** Their names have gone to another account, or were let go in a contest: what is deleted of them is not had back. */
export async function markLost(tx: Tx, zoneIds: readonly string[]): Promise<void> {
  await sql`update zones set lost_at = app_now() where id = any(${[...zoneIds]}::uuid[])`.execute(tx)
}

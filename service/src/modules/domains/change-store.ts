import {
  type ChangeCommand,
  changeCommands,
  type RecordedCommand,
  settleCommand,
} from '#modules/registry-commands/index.ts'
import { type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { workLeaseS } from '#ports/registry.ts'
import type { Change } from './domain-change.ts'

function dueIn(seconds: number): Statement {
  return sql`app_now() + make_interval(secs => ${seconds})`
}

const leased = sql`lease_until = ${dueIn(workLeaseS)}, due_at = ${dueIn(workLeaseS)}`

/** Runs an insert into `domain_acts` or an update of it, and returns the changes that it wrote. */
async function changes(tx: Tx, assignment: Statement): Promise<Change[]> {
  const { rows } = await sql<Change>`
    with a as (${assignment} returning *)
    select a.id, a.domain_id as "domainId", d.name, d.account_id as "accountId", a.kind, a.wish, a.secret, a.actor, a.relock, a.failure, a.lease
    from a join domains d on d.id = a.domain_id`.execute(tx)
  return rows
}

/** Stores a change, with a lease for the caller. The unique index refuses a second open change of the domain. */
export async function insertChange(
  tx: Tx,
  { domainId, wish, secret, actor }: Pick<Change, 'domainId' | 'wish' | 'secret' | 'actor'>,
  leaseS: number,
): Promise<Change> {
  const insert = sql`
    insert into domain_acts (domain_id, kind, wish, secret, actor, lease, lease_until, due_at)
    values (${domainId}, ${wish.kind}, ${JSON.stringify(wish)}::jsonb, ${secret}, ${JSON.stringify(actor)}::jsonb, 1, ${dueIn(leaseS)}, ${dueIn(leaseS)})`
  return (await changes(tx, insert))[0] as Change
}

/** The open change of a domain. Lock the domain first. */
export async function openChange(tx: Tx, domainId: number): Promise<{ id: number; isPending: boolean } | undefined> {
  const { rows } = await sql<{ id: number; isPending: boolean }>`
    select id, exists (select from registry_commands o where o.change_id = a.id and o.state = 'pending') as "isPending"
    from domain_acts a where domain_id = ${domainId} and state = 'open'`.execute(tx)
  return rows[0]
}

/** Claims an open change; undefined: a worker holds it, or it has ended. */
export async function claimChange(tx: Tx, id: number): Promise<Change | undefined> {
  return (await claim(tx, sql`a.id = ${id} and a.state = 'open'`, 1))[0]
}

/** Condition: an open change is due. */
export const isAnyChangeDue = sql`(select min(due_at) from domain_acts where state = 'open') <= app_now()`

/** Claims open changes that are due and that no worker holds, except those of domains under these TLDs. */
export function claimDueChanges(tx: Tx, max: number, exceptTlds: readonly string[] = []): Promise<Change[]> {
  const isElsewhere = sql`(select tld from domains where id = a.domain_id) <> all(${exceptTlds}::text[])`
  return claim(tx, sql`a.state = 'open' and a.due_at <= app_now() and ${isElsewhere}`, max)
}

function claim(tx: Tx, wanted: Statement, max: number): Promise<Change[]> {
  return changes(
    tx,
    sql`update domain_acts set lease = lease + 1, ${leased}
      where id = any(array(select a.id from domain_acts a where ${wanted} and coalesce(a.lease_until <= app_now(), true)
        order by a.due_at limit ${max} for update skip locked))`,
  )
}

/** Takes the open change of a domain away from the worker that holds it. That worker can no longer write to it. */
export async function takeChange(tx: Tx, domainId: number): Promise<Change | undefined> {
  const take = sql`update domain_acts set lease = lease + 1 where domain_id = ${domainId} and state = 'open'`
  return (await changes(tx, take))[0]
}

/** Another worker has the change now, or the change has ended: the transaction of this worker is rolled back. */
export class TakenOver extends Error {}

function takenOver({ id }: Change): never {
  throw new TakenOver(`another worker has the change ${id}`)
}

/** SQL that locks a change, stores its `relock` and `failure`, and returns a row if it is still open and this lease is the latest. */
function held({ id, lease, relock, failure }: Change, ...more: readonly Statement[]): Statement {
  const sets = [sql`relock = ${relock}`, sql`failure = ${failure && JSON.stringify(failure)}::jsonb`, ...more]
  return sql`update domain_acts set ${sql.join(sets)} where id = ${id} and lease = ${lease} and state = 'open' returning 1`
}

/** Gives up the lease, and makes the change due after this many seconds. Does nothing if another worker has the change. */
export async function postponeChange(tx: Tx, change: Change, afterS: number): Promise<void> {
  await held(change, sql`lease_until = null, due_at = ${dueIn(afterS)}`).execute(tx)
}

/**
 * Ends a change, and settles its open commands. Deletes its secret, its new registrant, and the name and address of its actor. Throws
 * `TakenOver`.
 */
export async function endChange(tx: Tx, change: Change, state: 'done' | 'refused' | 'dropped'): Promise<void> {
  const ended = sql`state = ${state}, ended_at = app_now(), lease_until = null`
  const forgotten = sql`secret = null, wish = wish - 'contact', actor = actor || '{"name": "", "address": null}'`
  const { rows } = await held(change, ended, forgotten).execute(tx)
  if (rows.length === 0) takenOver(change)
  await changeCommands.close(tx, change.id, state === 'dropped' ? 'not_done' : state)
}

/** Records a command that is about to be sent, and renews the lease, so that no other worker looks it up in the meantime. Throws `TakenOver`. */
export async function recordCommand(
  tx: Tx,
  change: Change,
  { command, subject }: ChangeCommand,
): Promise<RecordedCommand<ChangeCommand>> {
  const recorded = await changeCommands.record(tx, [{ owner: change.id, command, subject }], held(change, leased))
  return recorded.get(change.id) ?? takenOver(change)
}

/** Records the result of a command. Throws `TakenOver`. */
export async function recordResult(
  tx: Tx,
  change: Change,
  id: number,
  result: Parameters<typeof settleCommand>[2],
): Promise<void> {
  if (!(await settleCommand(tx, id, result, held(change)))) takenOver(change)
}

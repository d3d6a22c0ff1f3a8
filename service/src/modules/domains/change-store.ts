import { changeCommands } from '#modules/registry-commands/index.ts'
import { type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { type RegistryReply, workLeaseS } from '#ports/registry.ts'
import type { Change } from './domain-change.ts'

function dueIn(seconds: number): Statement {
  return sql`app_now() + make_interval(secs => ${seconds})`
}

/** A new lease, so that no other worker takes the change in the meantime. */
export const leased = sql`lease_until = ${dueIn(workLeaseS)}, due_at = ${dueIn(workLeaseS)}`

/** Runs an insert into `domain_acts` or an update of it, and returns the changes that it wrote. */
async function changes(tx: Tx, assignment: Statement): Promise<Change[]> {
  const { rows } = await sql<Change>`
    with a as (${assignment} returning *)
    select a.id, a.domain_id as "domainId", d.name, d.account_id as "accountId", a.kind, a.wish, a.secret, a.actor, a.relock, a.failure, a.lease
    from a join domains d on d.id = a.domain_id`.execute(tx)
  return rows
}

/** Stores a change, with a lease for the caller. Undefined: another change of the domain is open. */
export async function insertChange(
  tx: Tx,
  { domainId, wish, secret, actor }: Pick<Change, 'domainId' | 'wish' | 'secret' | 'actor'>,
  leaseS: number,
): Promise<Change | undefined> {
  const insert = sql`
    insert into domain_acts (domain_id, kind, wish, secret, actor, lease, lease_until, due_at)
    values (${domainId}, ${wish.kind}, ${JSON.stringify(wish)}::jsonb, ${secret}, ${JSON.stringify(actor)}::jsonb, 1, ${dueIn(leaseS)}, ${dueIn(leaseS)})
    on conflict (domain_id) where state = 'open' do nothing`
  return (await changes(tx, insert))[0]
}

/** Claims the open change of a domain; undefined: a worker holds it, or it has ended. */
export async function claimChange(tx: Tx, domainId: number): Promise<Change | undefined> {
  return (await claim(tx, sql`a.domain_id = ${domainId} and a.state = 'open'`, 1))[0]
}

/** Condition: an open change is due. */
export const isAnyChangeDue = sql`(select min(due_at) from domain_acts where state = 'open') <= app_now()`

/** Claims open changes (`a`) that are due, that no worker holds, and that meet a condition. */
export function claimDueChanges(tx: Tx, max: number, condition = sql`true`): Promise<Change[]> {
  return claim(tx, sql`a.state = 'open' and a.due_at <= app_now() and ${condition}`, max)
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

/** Locks a change, and stores its `relock`, its `failure` and more. Throws `TakenOver`. */
export async function holdChange(tx: Tx, change: Change, ...more: readonly Statement[]): Promise<void> {
  const { id, lease, relock, failure } = change
  const sets = [sql`relock = ${relock}`, sql`failure = ${failure && JSON.stringify(failure)}::jsonb`, ...more]
  const { rows } = await sql`
    update domain_acts set ${sql.join(sets)}
    where id = ${id} and lease = ${lease} and state = 'open' returning 1`.execute(tx)
  if (rows.length === 0) throw new TakenOver(`another worker has the change ${id}`)
}

/** Gives up the lease, and makes the change due after this many seconds. Throws `TakenOver`. */
export function postponeChange(tx: Tx, change: Change, afterS: number): Promise<void> {
  return holdChange(tx, change, sql`lease_until = null, due_at = ${dueIn(afterS)}`)
}

type End = 'done' | 'refused' | 'dropped'

/** What is stored when a change ends. The secret, the new registrant, and the name and address of the actor are deleted. */
export const endsAs = (state: End): Statement => sql`
  state = ${state}, ended_at = app_now(), lease_until = null,
  secret = null, wish = wish - 'contact', actor = actor || '{"name": "", "address": null}'`

/** Ends a change, and settles its open command. `reply`: the response to this command, if the registry has done it. Throws `TakenOver`. */
export async function endChange(tx: Tx, change: Change, end: End, reply?: RegistryReply | null): Promise<void> {
  await holdChange(tx, change, endsAs(end))
  const state = reply ? 'done' : end === 'dropped' ? 'not_done' : end
  await changeCommands.close(tx, [{ owner: change.id, state, ...reply }])
}

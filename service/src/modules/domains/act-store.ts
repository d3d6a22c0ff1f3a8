import { type ChangeCommand, changeCommands, settleCommand } from '#modules/registry-commands/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { workLeaseS } from '#ports/registry.ts'
import type { Act, ActOperation, Failure, Wish } from './act.ts'

const columns = sql`
  a.id, a.domain_id as "domainId", d.name, d.account_id as "accountId", a.kind, a.wish, a.secret, a.actor, a.relock, a.failure, a.lease`

const leased = sql`lease_until = app_now() + make_interval(secs => ${workLeaseS}), due_at = app_now() + make_interval(secs => ${workLeaseS})`

/** Writes an act down, held by whoever is about to carry it out. The unique index refuses a second open one of its domain. */
export async function insertAct(
  tx: Tx,
  act: { domainId: number; wish: Wish; secret: Buffer | null; actor: Actor },
  leaseS: number,
): Promise<Act> {
  const { rows } = await sql<Act>`
    with a as (
      insert into domain_acts (domain_id, kind, wish, secret, actor, lease, lease_until, due_at)
      values (${act.domainId}, ${act.wish.kind}, ${JSON.stringify(act.wish)}::jsonb, ${act.secret}, ${JSON.stringify(act.actor)}::jsonb,
        1, app_now() + make_interval(secs => ${leaseS}), app_now() + make_interval(secs => ${leaseS})) returning *)
    select ${columns} from a join domains d on d.id = a.domain_id`.execute(tx)
  return rows[0] as Act
}

/** How an open act of a domain stands. Lock the domain before. */
export async function openAct(
  tx: Tx,
  domainId: number,
): Promise<{ readonly id: number; readonly isHeld: boolean; readonly isPending: boolean } | undefined> {
  const { rows } = await sql<{ id: number; isHeld: boolean; isPending: boolean }>`
    select id, coalesce(lease_until > app_now(), false) as "isHeld",
      exists (select from registry_commands o where o.change_id = a.id and o.state = 'pending') as "isPending"
    from domain_acts a where domain_id = ${domainId} and state = 'open'`.execute(tx)
  return rows[0]
}

/** Takes an open act that nobody is at; undefined when there is none such any more. */
export async function claimAct(tx: Tx, id: number): Promise<Act | undefined> {
  return (await claim(tx, sql`a.id = ${id} and a.state = 'open'`, 1))[0]
}

/** Is an open act to go on with? */
export const isAnyActDue = sql`(select min(due_at) from domain_acts where state = 'open') <= app_now()`

/** Takes open acts that are due and that nobody is at, of domains under other TLDs than these. */
export function claimDueActs(tx: Tx, max: number, exceptTlds: readonly string[] = []): Promise<Act[]> {
  const isElsewhere = sql`(select tld from domains where id = a.domain_id) <> all(${exceptTlds}::text[])`
  return claim(tx, sql`a.state = 'open' and a.due_at <= app_now() and ${isElsewhere}`, max)
}

/** Takes an open act from whoever is at it: that one changes nothing any more. */
export async function takeAct(tx: Tx, id: number): Promise<Act> {
  const { rows } = await sql<Act>`
    with a as (update domain_acts set lease = lease + 1 where id = ${id} and state = 'open' returning *)
    select ${columns} from a join domains d on d.id = a.domain_id`.execute(tx)
  return rows[0] as Act
}

async function claim(tx: Tx, wanted: Statement, max: number): Promise<Act[]> {
  const { rows } = await sql<Act>`
    with a as (
      update domain_acts set lease = lease + 1, ${leased}
      where id = any(array(select a.id from domain_acts a where ${wanted} and coalesce(a.lease_until <= app_now(), true)
        order by a.due_at limit ${max} for update skip locked)) returning *)
    select ${columns} from a join domains d on d.id = a.domain_id`.execute(tx)
  return rows
}

/** Another worker has the act now, or the act has ended: the transaction of this worker is rolled back. */
export class TakenOver extends Error {}

/** SQL that locks and changes an act, and returns a row if it is still open and this lease is the latest. */
function held({ id, lease }: Pick<Act, 'id' | 'lease'>, change: Statement): Statement {
  return sql`update domain_acts set ${change} where id = ${id} and lease = ${lease} and state = 'open' returning 1`
}

/** Changes an act that its lease still holds. Throws `TakenOver`. */
async function changeHeld(tx: Tx, act: Pick<Act, 'id' | 'lease'>, change: Statement): Promise<void> {
  const { rows } = await held(act, change).execute(tx)
  if (rows.length === 0) takenOver(act)
}

function takenOver({ id }: Pick<Act, 'id'>): never {
  throw new TakenOver(`another worker has the change ${id}`)
}

/** Locks an act that its lease still holds. Throws `TakenOver`. */
export function lockAct(tx: Tx, act: Pick<Act, 'id' | 'lease'>): Promise<void> {
  return changeHeld(tx, act, sql`lease = lease`)
}

/** Stores why an act fails, while its domain still has to be locked again. Throws `TakenOver`. */
export function markFailed(tx: Tx, act: Pick<Act, 'id' | 'lease'>, failure: Failure): Promise<void> {
  return changeHeld(tx, act, sql`failure = ${JSON.stringify(failure)}::jsonb`)
}

/** Lets any worker continue so many seconds from now, unless another one has the act already. */
export async function postponeAct(tx: Tx, act: Pick<Act, 'id' | 'lease'>, afterS: number): Promise<void> {
  await held(act, sql`lease_until = null, due_at = app_now() + make_interval(secs => ${afterS})`).execute(tx)
}

/** Ends it, with the commands of which nobody has learned what came; the secret is forgotten, and whom it was to be registered to. */
export async function endAct(tx: Tx, id: number, state: 'done' | 'refused' | 'dropped'): Promise<void> {
  await changeCommands.close(tx, id, state === 'dropped' ? 'not_done' : state)
  await sql`
    update domain_acts set state = ${state}, ended_at = app_now(), secret = null, wish = wish - 'contact',
      actor = actor || '{"name": "", "address": null}', lease_until = null where id = ${id}`.execute(tx)
}

/** Its commands, the oldest first. */
export function readOperations(db: Db, actId: number): Promise<readonly ActOperation[]> {
  return changeCommands.readOf(db, actId)
}

/** Records a command that is about to be sent, and renews the lease, so that no other worker looks it up in the meantime. Throws `TakenOver`. */
export async function recordStep(tx: Tx, act: Act, { command, subject }: ChangeCommand): Promise<ActOperation> {
  const fence = held(act, sql`${leased}, relock = ${act.relock}`)
  const recorded = await changeCommands.record(tx, [{ owner: act.id, command, subject }], fence)
  return recorded.get(act.id) ?? takenOver(act)
}

/** Records the result of a command, and the act's failure. Throws `TakenOver`. */
export async function noteOperation(
  tx: Tx,
  act: Act,
  id: number,
  result: Parameters<typeof settleCommand>[2],
): Promise<void> {
  const fence = held(act, sql`failure = ${act.failure && JSON.stringify(act.failure)}::jsonb`)
  if (!(await settleCommand(tx, id, result, fence))) takenOver(act)
}

import { type ChangeCommand, changeCommands, settleCommand } from '#modules/registry-commands/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { workLeaseS } from '#ports/registry.ts'
import type { Act, ActOperation, Wish } from './act.ts'

function dueIn(seconds: number): Statement {
  return sql`app_now() + make_interval(secs => ${seconds})`
}

const leased = sql`lease_until = ${dueIn(workLeaseS)}, due_at = ${dueIn(workLeaseS)}`

/** The acts that a statement inserts or changes. */
async function acts(tx: Tx, change: Statement): Promise<Act[]> {
  const { rows } = await sql<Act>`
    with a as (${change} returning *)
    select a.id, a.domain_id as "domainId", d.name, d.account_id as "accountId", a.kind, a.wish, a.secret, a.actor, a.relock, a.failure, a.lease
    from a join domains d on d.id = a.domain_id`.execute(tx)
  return rows
}

/** Writes an act down, held by whoever is about to carry it out. The unique index refuses a second open one of its domain. */
export async function insertAct(
  tx: Tx,
  { domainId, wish, secret, actor }: { domainId: number; wish: Wish; secret: Buffer | null; actor: Actor },
  leaseS: number,
): Promise<Act> {
  const insert = sql`
    insert into domain_acts (domain_id, kind, wish, secret, actor, lease, lease_until, due_at)
    values (${domainId}, ${wish.kind}, ${JSON.stringify(wish)}::jsonb, ${secret}, ${JSON.stringify(actor)}::jsonb, 1, ${dueIn(leaseS)}, ${dueIn(leaseS)})`
  return (await acts(tx, insert))[0] as Act
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

function claim(tx: Tx, wanted: Statement, max: number): Promise<Act[]> {
  return acts(
    tx,
    sql`update domain_acts set lease = lease + 1, ${leased}
      where id = any(array(select a.id from domain_acts a where ${wanted} and coalesce(a.lease_until <= app_now(), true)
        order by a.due_at limit ${max} for update skip locked))`,
  )
}

/** Takes the open act of a domain from whoever is at it: that one changes nothing any more. */
export async function takeAct(tx: Tx, domainId: number): Promise<Act | undefined> {
  return (
    await acts(tx, sql`update domain_acts set lease = lease + 1 where domain_id = ${domainId} and state = 'open'`)
  )[0]
}

/** Another worker has the act now, or the act has ended: the transaction of this worker is rolled back. */
export class TakenOver extends Error {}

function takenOver({ id }: Act): never {
  throw new TakenOver(`another worker has the change ${id}`)
}

/** SQL that locks an act, stores how it stands, and returns a row if it is still open and this lease is the latest. */
function held({ id, lease, relock, failure }: Act, ...changes: readonly Statement[]): Statement {
  const sets = [sql`relock = ${relock}`, sql`failure = ${failure && JSON.stringify(failure)}::jsonb`, ...changes]
  return sql`update domain_acts set ${sql.join(sets)} where id = ${id} and lease = ${lease} and state = 'open' returning 1`
}

/** Lets any worker continue so many seconds from now, unless another one has the act already. */
export async function postponeAct(tx: Tx, act: Act, afterS: number): Promise<void> {
  await held(act, sql`lease_until = null, due_at = ${dueIn(afterS)}`).execute(tx)
}

/**
 * Ends it, with the commands of which nobody has learned what came; the secret is forgotten, and whom it was to be registered to. Throws
 * `TakenOver`.
 */
export async function endAct(tx: Tx, act: Act, state: 'done' | 'refused' | 'dropped'): Promise<void> {
  const ended = sql`state = ${state}, ended_at = app_now(), lease_until = null`
  const forgotten = sql`secret = null, wish = wish - 'contact', actor = actor || '{"name": "", "address": null}'`
  const { rows } = await held(act, ended, forgotten).execute(tx)
  if (rows.length === 0) takenOver(act)
  await changeCommands.close(tx, act.id, state === 'dropped' ? 'not_done' : state)
}

/** Records a command that is about to be sent, and renews the lease, so that no other worker looks it up in the meantime. Throws `TakenOver`. */
export async function recordStep(tx: Tx, act: Act, { command, subject }: ChangeCommand): Promise<ActOperation> {
  const recorded = await changeCommands.record(tx, [{ owner: act.id, command, subject }], held(act, leased))
  return recorded.get(act.id) ?? takenOver(act)
}

/** Records the result of a command. Throws `TakenOver`. */
export async function noteOperation(
  tx: Tx,
  act: Act,
  id: number,
  result: Parameters<typeof settleCommand>[2],
): Promise<void> {
  if (!(await settleCommand(tx, id, result, held(act)))) takenOver(act)
}

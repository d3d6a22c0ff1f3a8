import type { Actor } from '#platform/caller.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { type RegistryReply, workLeaseS } from '#ports/registry.ts'
import type { Act, ActOperation, Failure, Step, Wish } from './act.ts'

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
      exists (select from domain_operations o where o.act_id = a.id and o.state = 'pending') as "isPending"
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

/** Locks the act, if it is still open and this lease the latest. False: somebody else has taken it over. */
export async function lockAct(tx: Tx, { id, lease }: Pick<Act, 'id' | 'lease'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domain_acts where id = ${id} and lease = ${lease} and state = 'open' for no key update`.execute(tx)
  return rows.length > 0
}

/** Holds the act for as long again: one of its commands is about to be sent. False: somebody else has taken it over. */
export async function renewLease(tx: Tx, { id, lease }: Pick<Act, 'id' | 'lease'>): Promise<boolean> {
  const { rows } = await sql`
    update domain_acts set ${leased} where id = ${id} and lease = ${lease} and state = 'open' returning 1`.execute(tx)
  return rows.length > 0
}

/** Updates were allowed, or are about to be. */
export async function markRelock(tx: Tx, id: number): Promise<void> {
  await sql`update domain_acts set relock = true where id = ${id}`.execute(tx)
}

export async function markFailed(tx: Tx, id: number, failure: Failure): Promise<void> {
  await sql`update domain_acts set failure = ${JSON.stringify(failure)}::jsonb where id = ${id}`.execute(tx)
}

/** Nobody is at it any more; somebody goes on so many seconds from now. */
export async function postponeAct(tx: Tx, id: number, afterS: number): Promise<void> {
  await sql`
    update domain_acts set lease_until = null, due_at = app_now() + make_interval(secs => ${afterS}) where id = ${id}`.execute(
    tx,
  )
}

/** Ends it, with the commands of which nobody has learned what came; the secret is forgotten, and whom it was to be registered to. */
export async function endAct(tx: Tx, id: number, state: 'done' | 'refused' | 'dropped'): Promise<void> {
  await sql`
    with closed as (
      update domain_operations set state = ${state === 'dropped' ? 'not_done' : state}, ended_at = app_now()
      where act_id = ${id} and state in ('sending', 'unknown', 'pending'))
    update domain_acts set state = ${state}, ended_at = app_now(), secret = null, wish = wish - 'contact',
      actor = actor || '{"name": "", "address": null}', lease_until = null where id = ${id}`.execute(tx)
}

export async function readOperations(db: Db, actId: number): Promise<ActOperation[]> {
  const { rows } = await sql<ActOperation>`
    select id, step, subject, state, sent_at as "sentAt" from domain_operations where act_id = ${actId} order by id`.execute(
    db,
  )
  return rows
}

/** Writes down a command that is about to be sent. The unique index refuses it while another one's end is not known. */
export async function insertOperation(
  tx: Tx,
  operation: { actId: number; step: Step['step']; subject: string; clTrid: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into domain_operations (act_id, step, subject, cl_trid, state)
    values (${operation.actId}, ${operation.step}, ${operation.subject}, ${operation.clTrid}, 'sending') returning id`.execute(
    tx,
  )
  return (rows[0] as { id: number }).id
}

export async function noteOperation(
  tx: Tx,
  id: number,
  state: ActOperation['state'],
  reply: RegistryReply | null = null,
): Promise<void> {
  await sql`
    update domain_operations set state = ${state},
      ended_at = case when ${['done', 'refused', 'not_done'].includes(state)} then app_now() end,
      reply_code = coalesce(${reply?.code ?? null}, reply_code), reply = coalesce(${reply?.message ?? null}, reply)
    where id = ${id}`.execute(tx)
}

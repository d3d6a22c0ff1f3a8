import { randomBytes } from 'node:crypto'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { RegistryReply } from '#ports/registry.ts'
import type { RecordedChangeCommand, RecordedCommand, RecordedOrderCommand } from './command.ts'

/** Whose commands they are: an order's or a domain change's. */
interface Owners {
  readonly order: { readonly id: string; readonly recorded: RecordedOrderCommand }
  readonly change: { readonly id: number; readonly recorded: RecordedChangeCommand }
}

type Recorded<Owner extends keyof Owners> = Owners[Owner]['recorded']

const ownerColumns = { order: sql`order_id`, change: sql`change_id` }

const shared = sql`id, command, state, cl_trid as "clTrid", sent_at as "sentAt"`
const columns = {
  order: sql`${shared}, attempt, reply_code as "replyCode", reply,
    extract(epoch from app_now() - sent_at)::float8 as "sentForS",
    extract(epoch from app_now() - missed_at)::float8 as "missedForS"`,
  change: sql`${shared}, subject`,
}

const isOpen = sql`state in ('sending', 'unknown', 'pending')`
const noFence = sql`select 1`

/** The commands of these orders, or of these changes, by owner, the oldest first. */
export async function readCommands<Owner extends keyof Owners>(
  db: Db,
  owner: Owner,
  ids: readonly Owners[Owner]['id'][],
): Promise<ReadonlyMap<Owners[Owner]['id'], readonly Recorded<Owner>[]>> {
  const { rows } = await sql<Recorded<Owner> & { owner: Owners[Owner]['id'] }>`
    select ${columns[owner]}, ${ownerColumns[owner]} as owner from registry_commands
    where ${ownerColumns[owner]} = any(${[...ids]}) order by id`.execute(db)
  return Map.groupBy(rows, (row) => row.owner)
}

/** The same of one owner. */
export async function readCommandsOf<Owner extends keyof Owners>(
  db: Db,
  owner: Owner,
  id: Owners[Owner]['id'],
): Promise<readonly Recorded<Owner>[]> {
  return (await readCommands(db, owner, [id])).get(id) ?? []
}

/**
 * Records commands that are about to be sent, one an owner, each with a new clTRID, if `fence` returns a row: a statement of the caller
 * that locks what it decides by. Returned by owner. A unique index refuses a command while the result of another one of its owner is
 * not known.
 */
export async function recordCommands<Owner extends keyof Owners>(
  tx: Tx,
  owner: Owner,
  commands: readonly {
    readonly ownerId: Owners[Owner]['id']
    readonly command: Recorded<Owner>['command']
    readonly attempt?: number
    readonly subject?: string
  }[],
  fence: Statement = noFence,
): Promise<ReadonlyMap<Owners[Owner]['id'], Recorded<Owner>>> {
  if (commands.length === 0) return new Map()
  const rows = commands.map((each) => ({ ...each, clTrid: `ZW-${randomBytes(12).toString('hex')}` }))
  const recorded = await sql<Recorded<Owner> & { owner: Owners[Owner]['id'] }>`
    with fence as (${fence})
    insert into registry_commands (${ownerColumns[owner]}, command, attempt, subject, cl_trid, state)
    select "ownerId", command, attempt, subject, "clTrid", 'sending' from ${newCommands[owner](rows)}
    where exists (select from fence)
    returning ${columns[owner]}, ${ownerColumns[owner]} as owner`.execute(tx)
  return new Map(recorded.rows.map((row) => [row.owner, row]))
}

const newColumns = 'command text, attempt integer, subject text, "clTrid" text'
const newCommands = {
  order: sql.recordset('new', `"ownerId" text, ${newColumns}`),
  change: sql.recordset('new', `"ownerId" bigint, ${newColumns}`),
}

/**
 * Records the result of a command if `fence` returns a row; false: it does not, or the command was settled meanwhile. `missed`: has a lookup
 * just found nothing of it? The time of the first such lookup is kept; false forgets it, undefined leaves it as it is.
 */
export async function settleCommand(
  tx: Tx,
  id: number,
  result: { state: RecordedCommand['state']; missed?: boolean | undefined; reply?: RegistryReply | null },
  fence: Statement = noFence,
): Promise<boolean> {
  const { state, missed = null, reply = null } = result
  const { rows } = await sql`
    with fence as (${fence})
    update registry_commands set state = ${state},
      missed_at = case ${missed}::boolean when true then coalesce(missed_at, app_now()) when false then null else missed_at end,
      ended_at = case when ${['done', 'refused', 'not_done'].includes(state)} then app_now() end,
      reply_code = coalesce(${reply?.code ?? null}, reply_code), reply = coalesce(${reply?.message ?? null}, reply)
    where id = ${id} and ${isOpen} and exists (select from fence) returning 1`.execute(tx)
  return rows.length > 0
}

/** SQL that settles whatever of an owner is open, because the owner ends. */
export function closingCommands<Owner extends keyof Owners>(
  owner: Owner,
  id: Owners[Owner]['id'],
  state: 'done' | 'refused' | 'not_done',
): Statement {
  return sql`
    update registry_commands set state = ${state}, ended_at = app_now() where ${ownerColumns[owner]} = ${id} and ${isOpen}`
}

/** The order's command with this clTRID. */
export async function orderCommandNamed(db: Db, clTrid: string): Promise<{ orderId: string; id: number } | undefined> {
  const { rows } = await sql<{ orderId: string; id: number }>`
    select order_id as "orderId", id from registry_commands where cl_trid = ${clTrid} and order_id is not null`.execute(
    db,
  )
  return rows[0]
}

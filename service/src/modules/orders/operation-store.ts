import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { RegistryReply } from '#ports/registry.ts'
import type { Operation } from './reconcile.ts'

const columns = sql`
  id, command, attempt, state, cl_trid as "clTrid", sent_at as "sentAt", reply_code as "replyCode", reply,
  extract(epoch from app_now() - sent_at)::float8 as "sentForS",
  extract(epoch from app_now() - missed_at)::float8 as "missedForS"`

/** The operations of several orders, by order, the oldest first. */
export async function readOperationsOf(db: Db, orderIds: readonly string[]): Promise<Map<string, Operation[]>> {
  const { rows } = await sql<Operation & { orderId: string }>`
    select ${columns}, order_id as "orderId" from registry_operations where order_id = any(${[...orderIds]}) order by id`.execute(
    db,
  )
  return Map.groupBy(rows, ({ orderId }) => orderId)
}

/** An order's operations, the oldest first. */
export async function readOperations(db: Db, orderId: string): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    select ${columns} from registry_operations where order_id = ${orderId} order by id`.execute(db)
  return rows
}

/** A command that is about to be sent for an order. */
export interface NewOperation extends Pick<Operation, 'command' | 'attempt' | 'clTrid'> {
  readonly orderId: string
}

/**
 * Writes down commands that are about to be sent, one an order; returned by order. The unique index refuses one while the end of
 * another one of its order is not known.
 */
export async function insertOperations(
  tx: Tx,
  operations: readonly NewOperation[],
): Promise<ReadonlyMap<string, Operation>> {
  if (operations.length === 0) return new Map()
  const { rows } = await sql<Operation & { orderId: string }>`
    insert into registry_operations (order_id, command, attempt, cl_trid, state)
    select "orderId", command, attempt, "clTrid", 'sending' from ${newOperations(operations)}
    returning ${columns}, order_id as "orderId"`.execute(tx)
  return new Map(rows.map((row) => [row.orderId, row]))
}

const newOperations = sql.recordset('new', '"orderId" text, command text, attempt integer, "clTrid" text')

/**
 * Records how it stands with an operation; false when that has been settled meanwhile. `missed`: has a look just found nothing of it?
 * Of looks that all have, the first one's time is kept; left out, it stays as it is.
 */
export async function noteOperation(
  tx: Tx,
  id: number,
  note: { state: Operation['state']; missed?: boolean | undefined; reply?: RegistryReply | null },
): Promise<boolean> {
  const { rows } = await sql`
    update registry_operations set state = ${note.state},
      missed_at = case ${note.missed ?? null}::boolean when true then coalesce(missed_at, app_now()) when false then null else missed_at end,
      ended_at = case when ${['done', 'refused', 'not_done'].includes(note.state)} then app_now() end,
      reply_code = coalesce(${note.reply?.code ?? null}, reply_code), reply = coalesce(${note.reply?.message ?? null}, reply)
    where id = ${id} and state in ('sending', 'unknown', 'pending') returning 1`.execute(tx)
  return rows.length > 0
}

/** The command of this clTRID, if it was an order's. */
export async function operationNamed(
  db: Db,
  clTrid: string,
): Promise<{ orderId: string; operationId: number } | undefined> {
  const { rows } = await sql<{ orderId: string; operationId: number }>`
    select order_id as "orderId", id as "operationId" from registry_operations where cl_trid = ${clTrid}`.execute(db)
  return rows[0]
}

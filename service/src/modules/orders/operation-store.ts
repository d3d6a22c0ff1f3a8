import { type Db, sql, type Tx } from '#platform/db.ts'
import type { RegistryReply } from '#ports/registry.ts'
import type { Command, Operation } from './reconcile.ts'

const columns = sql`
  id, command, attempt, state, cl_trid as "clTrid", reply_code as "replyCode", extract(epoch from app_now() - missed_at)::float8 as "missedForS"`

/** An order's operations, the oldest first. */
export async function readOperations(db: Db, orderId: string): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    select ${columns} from registry_operations where order_id = ${orderId} order by id`.execute(db)
  return rows
}

/** Writes down a command that is about to be sent. The unique index refuses it while another one's end is not known. */
export async function insertOperation(
  tx: Tx,
  operation: { orderId: string; command: Command; attempt: number; clTrid: string },
): Promise<Operation> {
  const { rows } = await sql<Operation>`
    insert into registry_operations (order_id, command, attempt, cl_trid, state)
    values (${operation.orderId}, ${operation.command}, ${operation.attempt}, ${operation.clTrid}, 'sending') returning ${columns}`.execute(
    tx,
  )
  return rows[0] as Operation
}

/** Records how it stands with an operation; false when that has been settled meanwhile. */
export async function noteOperation(
  tx: Tx,
  id: number,
  note: { state: Operation['state']; missed?: boolean; reply?: RegistryReply | null },
): Promise<boolean> {
  const { rows } = await sql`
    update registry_operations set state = ${note.state},
      missed_at = case when ${note.missed ?? false} then coalesce(missed_at, app_now()) else missed_at end,
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

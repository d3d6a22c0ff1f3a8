import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { RegistryReply } from '#ports/registry.ts'
import { type ChangeCommand, isOpen, type OrderCommand, type RecordedCommand } from './command.ts'
import { newClTrid } from './registry-ids.ts'

const isStillOpen = sql`registry_commands.state in ('sending', 'unknown', 'pending')`

type Closed = { readonly state: 'done' | 'refused' | 'not_done' } & Partial<RegistryReply>

/** The commands of orders, or those of domain changes. */
function commandsOf<Id, Sent extends OrderCommand | ChangeCommand>(owner: string, idType: string) {
  type Owned = RecordedCommand<Sent> & { readonly owner: Id }
  const ownerId = sql.ref(owner)
  const columns = sql`
    ${ownerId} as owner, id, command, subject, state, cl_trid as "clTrid", sent_at as "sentAt", reply_code as "replyCode", reply,
    extract(epoch from app_now() - sent_at)::float8 as "sentForS", extract(epoch from app_now() - missed_at)::float8 as "missedForS"`
  const rowsOf = sql.recordset('new', `owner ${idType}, command text, attempt integer, subject text, "clTrid" text`)
  const endsOf = sql.recordset('new', `owner ${idType}, state text, code integer, message text`)
  return {
    /** The commands of these owners, the oldest first. */
    async read(db: Db, owners: readonly Id[]): Promise<readonly Owned[]> {
      if (owners.length === 0) return []
      const { rows } = await sql<Owned>`
        select ${columns} from registry_commands where ${ownerId} = any(${[...owners]}) order by id`.execute(db)
      return rows
    },

    /** The command with this clTRID. */
    async named(db: Db, clTrid: string): Promise<Owned | undefined> {
      const { rows } = await sql<Owned>`
        select ${columns} from registry_commands
        where cl_trid = ${clTrid} and ${ownerId} is not null`.execute(db)
      return rows[0]
    },

    /**
     * Records commands that are about to be sent, at most one for each owner, each with a new clTRID. The owners are locked. A unique index
     * refuses a command while the result of another command of its owner is unknown.
     */
    async record(
      tx: Tx,
      commands: readonly { owner: Id; command: Sent['command']; attempt?: number; subject?: string }[],
    ): Promise<readonly Owned[]> {
      if (commands.length === 0) return []
      const named = commands.map((each) => ({ ...each, clTrid: newClTrid() }))
      const { rows } = await sql<Owned>`
        insert into registry_commands (${ownerId}, command, attempt, subject, cl_trid, state)
        select owner, command, attempt, subject, "clTrid", 'sending' from ${rowsOf(named)}
        returning ${columns}`.execute(tx)
      return rows
    },

    /** Settles the open commands of owners that end, with the registry's responses to them if there are any. */
    async close(tx: Tx, ends: readonly (Closed & { readonly owner: Id })[]): Promise<void> {
      await sql`
        update registry_commands set state = new.state, ended_at = app_now(),
          reply_code = coalesce(new.code, reply_code), reply = coalesce(new.message, reply)
        from ${endsOf(ends)} where ${ownerId} = new.owner and ${isStillOpen}`.execute(tx)
    },
  }
}

/** The commands of orders. */
export const orderCommands = commandsOf<string, OrderCommand>('order_id', 'text')

/** The commands of domain changes. */
export const changeCommands = commandsOf<number, ChangeCommand>('change_id', 'bigint')

/**
 * Records the result of a command; false: it was settled in the meantime. The owner is locked. `missed`: whether a lookup has just found no
 * trace of it. True keeps the time of the first of these lookups, false deletes it, undefined leaves it unchanged.
 */
export async function settleCommand(
  tx: Tx,
  id: number,
  result: { state: RecordedCommand['state']; missed?: boolean | undefined; reply?: RegistryReply | null },
): Promise<boolean> {
  const { state, missed = null, reply = null } = result
  const { rows } = await sql`
    update registry_commands set state = ${state},
      missed_at = case ${missed}::boolean when true then coalesce(missed_at, app_now()) when false then null else missed_at end,
      ended_at = case when ${!isOpen(result)} then app_now() end,
      reply_code = coalesce(${reply?.code ?? null}, reply_code), reply = coalesce(${reply?.message ?? null}, reply)
    where id = ${id} and ${isStillOpen} returning 1`.execute(tx)
  return rows.length > 0
}

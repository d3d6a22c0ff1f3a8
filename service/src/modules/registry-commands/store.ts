import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { RegistryReply } from '#ports/registry.ts'
import { type ChangeCommand, isOpen, type OrderCommand, type RecordedCommand } from './command.ts'
import { newClTrid } from './registry-ids.ts'

const isStillOpen = sql`state in ('sending', 'unknown', 'pending')`
const noFence = sql`select 1`

type Owned<Id, Sent extends OrderCommand | ChangeCommand> = RecordedCommand<Sent> & { readonly owner: Id }

/** The commands of orders, or those of domain changes. */
class CommandsByOwner<Id extends string | number, Sent extends OrderCommand | ChangeCommand> {
  readonly #owner: Statement
  readonly #columns: Statement
  readonly #rows: ReturnType<typeof sql.recordset>

  constructor(owner: string, idType: string) {
    this.#owner = sql.ref(owner)
    this.#columns = sql`
      ${this.#owner} as owner, id, command, attempt, subject, state, cl_trid as "clTrid", sent_at as "sentAt", reply_code as "replyCode", reply,
      extract(epoch from app_now() - sent_at)::float8 as "sentForS", extract(epoch from app_now() - missed_at)::float8 as "missedForS"`
    this.#rows = sql.recordset('new', `owner ${idType}, command text, attempt integer, subject text, "clTrid" text`)
  }

  /** The commands of these owners, by owner, the oldest first. */
  async read(db: Db, owners: readonly Id[]): Promise<ReadonlyMap<Id, readonly Owned<Id, Sent>[]>> {
    if (owners.length === 0) return new Map()
    const { rows } = await sql<Owned<Id, Sent>>`
      select ${this.#columns} from registry_commands where ${this.#owner} = any(${[...owners]}) order by id`.execute(db)
    return Map.groupBy(rows, ({ owner }) => owner)
  }

  /** The commands of one owner, the oldest first. */
  async readOf(db: Db, owner: Id): Promise<readonly Owned<Id, Sent>[]> {
    return (await this.read(db, [owner])).get(owner) ?? []
  }

  /** The command with this clTRID. */
  async named(db: Db, clTrid: string): Promise<Owned<Id, Sent> | undefined> {
    const { rows } = await sql<Owned<Id, Sent>>`
      select ${this.#columns} from registry_commands where cl_trid = ${clTrid} and ${this.#owner} is not null`.execute(
      db,
    )
    return rows[0]
  }

  /**
   * Records commands that are about to be sent, at most one for each owner, each with a new clTRID. Returns them by owner. Records nothing if
   * `fence` returns no row: a statement that locks the rows on which the caller's decision is based. A unique index refuses a command while
   * the result of another command of its owner is unknown.
   */
  async record(
    tx: Tx,
    commands: readonly { owner: Id; command: Sent['command']; attempt?: number; subject?: string }[],
    fence: Statement = noFence,
  ): Promise<ReadonlyMap<Id, Owned<Id, Sent>>> {
    if (commands.length === 0) return new Map()
    const named = commands.map((each) => ({ ...each, clTrid: newClTrid() }))
    const { rows } = await sql<Owned<Id, Sent>>`
      with fence as (${fence})
      insert into registry_commands (${this.#owner}, command, attempt, subject, cl_trid, state)
      select owner, command, attempt, subject, "clTrid", 'sending' from ${this.#rows(named)} where exists (select from fence)
      returning ${this.#columns}`.execute(tx)
    return new Map(rows.map((row) => [row.owner, row]))
  }

  /** Settles the open commands of an owner, because the owner ends. */
  async close(tx: Tx, owner: Id, state: 'done' | 'refused' | 'not_done'): Promise<void> {
    await sql`
      update registry_commands set state = ${state}, ended_at = app_now() where ${this.#owner} = ${owner} and ${isStillOpen}`.execute(
      tx,
    )
  }
}

/** The commands of orders. */
export const orderCommands = new CommandsByOwner<string, OrderCommand>('order_id', 'text')

/** The commands of domain changes. */
export const changeCommands = new CommandsByOwner<number, ChangeCommand>('change_id', 'bigint')

/**
 * Records the result of a command; false: `fence` returned no row, or the command was settled in the meantime. `missed`: whether a lookup has
 * just found nothing of it. True keeps the time of the first such lookup, false deletes it, undefined leaves it as it is.
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
      ended_at = case when ${!isOpen(result)} then app_now() end,
      reply_code = coalesce(${reply?.code ?? null}, reply_code), reply = coalesce(${reply?.message ?? null}, reply)
    where id = ${id} and ${isStillOpen} and exists (select from fence) returning 1`.execute(tx)
  return rows.length > 0
}

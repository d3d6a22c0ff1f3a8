import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { addChangedBytes, readBudget, setBudget } from './change-budget-store.ts'
import { type Account, lockAccount } from './store.ts'

/** Bodies from this size on are counted in the database before anything is changed, so that those of several processes add up exactly. */
const largeBytes = 64 * 1024
/** Smaller ones are added up in memory, and written to the database this often. */
const writeEveryMs = 500
/** How long an account's total from the database is trusted, because other processes and operators change it, too. */
const knownForMs = 1_000

/** What this process knows about an account's day. */
interface Known {
  /** The last total read from the database. */
  bytes: number
  budget: number
  knownAtMs: number
  /** Accepted here, and not yet sent to the database. */
  pending: number
  /** Being written to the database. */
  underWay: number
}

/** Bytes that are reserved in the database. */
interface Wanted {
  readonly accountId: string
  readonly bytes: number
}

/** How many accounts one statement writes. */
const together = { maxItems: 500 }

/**
 * Daily change budgets of accounts, in bytes per UTC day.
 *
 * If each change updated a row, an account's commits would wait for one another. Small bodies are therefore added up in memory, against a total
 * from the database that is at most a second old. One process counts exactly; several processes together may admit the changes of one second too
 * much. Before a change is refused, the database is asked, so a raised budget or a new day counts at once. A process that is killed loses the
 * counts of the last half second of small bodies.
 */
export class AccountBudgets {
  readonly #db: Db
  readonly #log: Logger
  readonly #accounts = new Map<string, Known>()
  /** One statement at a time, so that a total it returns is never older than the known one. */
  readonly #writes: Gather<Wanted, boolean>
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
    this.#writes = new Gather(together, (wanted) => this.#write(wanted))
  }

  take(accountId: string, bytes: number): Promise<void> | undefined {
    const known = this.#accounts.get(accountId)
    if (known === undefined || bytes >= largeBytes || !isFresh(known) || !fits(known, bytes))
      return this.#takeOfDatabase(accountId, bytes)
    known.pending += bytes
    this.#writeSoon()
    return undefined
  }

  add(accountId: string, bytes: number): void {
    this.#knownOf(accountId).pending += bytes
    this.#writeSoon()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writePending()
    clearTimeout(this.#timer)
  }

  async #takeOfDatabase(accountId: string, bytes: number): Promise<void> {
    if (await this.#writes.ask({ accountId, bytes })) return
    const { budget = 0, resetsAt } = (await readBudget(this.#db, accountId)) ?? {}
    throw new Refusal(
      'quota_exceeded',
      `This request would exceed the account’s daily limit of ${budget.toLocaleString('en')} bytes of changes. The limit resets at ${resetsAt?.toISOString() ?? 'midnight (UTC)'}.`,
    )
  }

  /** Adds the requested bytes, and pending bytes of the same accounts. Returns which requests fit the budgets; the others are subtracted again. */
  async #write(wanted: readonly Wanted[]): Promise<boolean[]> {
    const added = [...Map.groupBy(wanted, ({ accountId }) => accountId)].map(([accountId, of]) => {
      const known = this.#knownOf(accountId)
      const asked = of.reduce((sum, { bytes }) => sum + bytes, 0)
      const { pending } = known
      known.pending = 0
      known.underWay = pending + asked
      return { accountId, bytes: pending + asked, pending, asked, left: 0 }
    })
    try {
      const rows = added.map(({ accountId, bytes }) => ({ accountId, bytes }))
      const days = new Map((await addChangedBytes(this.#db, rows)).map((day) => [day.accountId, day]))
      for (const account of added) {
        const day = days.get(account.accountId)
        if (day === undefined) continue
        account.left = day.budget - (day.bytes - account.asked)
        Object.assign(this.#knownOf(account.accountId), {
          bytes: day.bytes,
          budget: day.budget,
          knownAtMs: performance.now(),
        })
      }
    } catch (error) {
      for (const { accountId, pending } of added) this.#knownOf(accountId).pending += pending
      throw error
    } finally {
      for (const { accountId } of added) this.#knownOf(accountId).underWay = 0
      this.#writeSoon()
    }
    const byAccount = new Map(added.map((account) => [account.accountId, account]))
    return wanted.map(({ accountId, bytes }) => {
      const account = byAccount.get(accountId)
      const hasRoom = account !== undefined && bytes <= account.left
      if (hasRoom) account.left -= bytes
      else this.add(accountId, -bytes)
      return hasRoom
    })
  }

  #knownOf(accountId: string): Known {
    const known = this.#accounts.get(accountId)
    if (known !== undefined) return known
    const unknown = { bytes: 0, budget: 0, knownAtMs: Number.NEGATIVE_INFINITY, pending: 0, underWay: 0 }
    this.#accounts.set(accountId, unknown)
    return unknown
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#writePending()
    }, writeEveryMs).unref()
  }

  /** Writes pending bytes to the database, and forgets accounts that have been quiet for a while. */
  async #writePending(): Promise<void> {
    const pending: Wanted[] = []
    for (const [accountId, known] of this.#accounts)
      if (known.pending !== 0) pending.push({ accountId, bytes: 0 })
      else if (!isFresh(known) && known.underWay === 0) this.#accounts.delete(accountId)
    try {
      await Promise.all(pending.map((account) => this.#writes.ask(account)))
    } catch (error) {
      this.#log.warn({ err: error }, 'the daily change counts could not be stored; trying again')
    }
    if (this.#accounts.size > 0) this.#writeSoon()
  }
}

function isFresh({ knownAtMs }: Known): boolean {
  return performance.now() - knownAtMs < knownForMs
}

function fits({ bytes, budget, pending, underWay }: Known, more: number): boolean {
  return bytes + pending + underWay + more <= budget
}

/** Sets an account's daily change budget, for an operator; null: the default. */
export async function limitChanges(
  tx: Tx,
  actor: Actor,
  { id, email }: Pick<Account, 'id' | 'email'>,
  bytes: number | null,
): Promise<void> {
  await lockAccount(tx, id)
  await setBudget(tx, id, bytes)
  await recordAudit(tx, {
    accountId: id,
    actor,
    action: 'account.budget_changed',
    summary: `The daily change limit of account ${email} was set to ${bytes === null ? 'the default' : `${bytes} bytes`}`,
    reference: { daily_change_bytes: bytes },
  })
}

import { changeCommands, meaningOf, sendCommand } from '#modules/registry-commands/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import type { RegistryReply } from '#ports/registry.ts'
import { advanceChange } from './advance-change.ts'
import { endsAs } from './change-store.ts'
import {
  type Change,
  type ChangeWork,
  type ClaimedChange,
  lockedAs,
  type Progress,
  type Wish,
} from './domain-change.ts'
import { defaultStatus } from './plan-change.ts'
import { auditDomain, noteStatus } from './store.ts'

/** A default lock that a registry has set. */
interface SetLock {
  readonly change: Change
  readonly reply: RegistryReply
}

/**
 * Stores the default locks of the domains in `d` as changes. No wake-up is sent, because no request waits for them: a worker claims the locks
 * of all new domains at once, within a second, or when it has no orders in progress.
 */
export function lockOfNew(actor: Actor): Statement {
  const wish: Wish = { kind: 'lock', isDefault: true }
  return sql`
    insert into domain_acts (domain_id, kind, wish, actor, lease, lease_until, due_at)
    select d.id, ${wish.kind}, ${JSON.stringify(wish)}::jsonb, ${JSON.stringify(actor)}::jsonb, 1, app_now(), app_now() from d`
}

/** Maximum time that default locks wait for orders in progress. Seconds. */
const longestYieldS = 60

/** Condition: a change (`a`) can continue while orders are in progress. A default lock does so only after it has waited for a minute. */
export const goesBesideOrders = sql`(a.wish ->> 'isDefault' is distinct from 'true'
  or a.created_at <= app_now() - make_interval(secs => ${longestYieldS}))`

/** How many locks one transaction ends, and the minimum time between two of these transactions. */
const together = { maxItems: 64, gapMs: 250 }

/**
 * Returns a function that continues claimed changes.
 *
 * A default lock whose command was recorded with the claim is sent without a query. Locks that registries set at about the same time are ended
 * in one transaction, so that they add little load while orders run. With any other answer, the lock continues like other changes.
 */
export function claimedChanges(work: ChangeWork): (claimed: ClaimedChange) => Promise<Progress> {
  const ends = new Gather<SetLock, Progress>(together, (locks) =>
    work.database.transact((tx) => endTogether(tx, locks)),
  )
  return async ({ change, operations, first }) => {
    const registry = work.registries.registryOf(change.name)
    if (first === undefined || registry === undefined) return advanceChange(work, { change, operations })
    const statuses = { add: [defaultStatus], remove: [] }
    const lock = { command: 'lock', subject: change.name, change: { statuses } } as const
    const answer = meaningOf('lock', await sendCommand(registry, lock, first.clTrid), [])
    if (answer.kind === 'done') return ends.ask({ change, reply: answer.reply })
    return advanceChange(work, { change, operations }, { step: lock, operation: first, answer })
  }
}

async function endTogether(tx: Tx, locks: readonly SetLock[]): Promise<Progress[]> {
  const changes = locks.map(({ change }) => change)
  const ids = changes.map(({ domainId }) => domainId)
  const [noted, ended] = await Promise.all([noteStatus(tx, ids, defaultStatus), endHeld(tx, changes)])
  const domains = new Map(noted.map((domain) => [domain.id, domain]))
  const own = locks.filter(({ change }) => ended.has(change.id))
  await Promise.all([
    changeCommands.close(
      tx,
      own.map(({ change, reply }) => ({ owner: change.id, state: 'done', ...reply })),
    ),
    ...own.map(({ change }) => {
      const domain = domains.get(change.domainId)
      return domain && auditDomain(tx, change.actor, domain, 'locked', `${domain.name} ${lockedAs(change)}`)
    }),
  ])
  return changes.map(({ id }) => ({ end: ended.has(id) ? 'done' : 'later' }))
}

const heldChanges = sql.recordset('held', 'id bigint, lease integer')

/** Ends the changes that no other worker has taken over. Returns their ids. */
async function endHeld(tx: Tx, changes: readonly Change[]): Promise<ReadonlySet<number>> {
  const held = heldChanges(changes.map(({ id, lease }) => ({ id, lease })))
  const { rows } = await sql<{ id: number }>`
    update domain_acts a set ${endsAs('done')} from ${held}
    where a.id = held.id and a.lease = held.lease and a.state = 'open' returning a.id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

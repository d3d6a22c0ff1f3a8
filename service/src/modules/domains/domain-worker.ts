import { changeCommands } from '#modules/registry-commands/index.ts'
import { registryShares } from '#modules/tlds/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { claimDueChanges, isAnyChangeDue } from './change-store.ts'
import { claimedChanges, goesBesideOrders } from './default-lock.ts'
import { type ClaimedChange, isDefaultLock } from './domain-change.ts'
import { claimSyncs, type Domain, isAnySyncDue } from './store.ts'
import { type SyncWork, syncDomain } from './sync-domain.ts'

/** Domain changes that a process works on at once, and as many domain checks: at all registries, and at each. */
const maxWorking = 128
const maxOfRegistry = 32
/** If a worker dies, others can check its domain after this time. Seconds. */
const syncLeaseS = 600

/**
 * Claims changes that are due and that no worker holds. It also records the command of each default lock, so that the locks of many new domains
 * need one transaction. They are sent without a query, because a query would rarely show that a new domain is locked. `isBusy`: orders are in
 * progress, and new default locks let them go first.
 */
export function claimChanges(
  { database }: SyncWork,
  max: number,
  exceptTlds: readonly string[] = [],
  isBusy = false,
): Promise<ClaimedChange[]> {
  return database.transact(async (tx) => {
    const isElsewhere = sql`(select tld from domains where id = a.domain_id) <> all(${exceptTlds}::text[])`
    const changes = await claimDueChanges(tx, max, isBusy ? sql`${isElsewhere} and ${goesBesideOrders}` : isElsewhere)
    const ids = changes.map(({ id }) => id)
    const known = Map.groupBy(await changeCommands.read(tx, ids), ({ owner }) => owner)
    const locks = changes.filter((change) => isDefaultLock(change) && !known.has(change.id))
    const first = await changeCommands.record(
      tx,
      locks.map(({ id: owner, name: subject }) => ({ owner, command: 'lock', subject })),
    )
    const firstOf = new Map(first.map((command) => [command.owner, command]))
    return changes.map((change) => ({ change, operations: known.get(change.id) ?? [], first: firstOf.get(change.id) }))
  })
}

/** Claims domains whose check is due. */
export function claimLooks({ database }: SyncWork, max: number, exceptTlds: readonly string[] = []): Promise<Domain[]> {
  return database.transact((tx) => claimSyncs(tx, max, syncLeaseS, exceptTlds))
}

/** Claims and processes due domain changes and domain checks. It runs on wake-ups and once a second. Any number of processes may run it. */
export class DomainWorker {
  readonly #changes: ClaimedWork<ClaimedChange>
  readonly #looks: ClaimedWork<Domain>

  /** `hasOrders`: whether this process has orders in progress. */
  constructor(work: SyncWork, hasOrders = () => false) {
    const { database, log, registries } = work
    const shares = registryShares(registries, maxOfRegistry)
    this.#changes = new ClaimedWork({
      name: 'changes of domains',
      log,
      max: maxWorking,
      look: database.pollFor(isAnyChangeDue),
      claim: (max, full) => claimChanges(work, max, shares.tldsOf(full), hasOrders()),
      shares: { ...shares, of: ({ change }) => shares.of(change) },
      work: claimedChanges(work),
      about: ({ change }) => ({ change: change.id, domain: change.name }),
      requestOf: ({ change }) => change.actor.requestId,
    })
    this.#looks = new ClaimedWork({
      name: 'domain checks',
      log,
      max: maxWorking,
      look: database.pollFor(isAnySyncDue),
      claim: (max, full) => claimLooks(work, max, shares.tldsOf(full)),
      shares,
      work: (domain) => syncDomain(work, domain),
      about: ({ name }) => ({ domain: name }),
    })
  }

  start(): void {
    this.#changes.start()
    this.#looks.start()
  }

  wake(): void {
    this.#changes.wake()
    this.#looks.wake()
  }

  /** Stops claiming work, and finishes the work in progress. */
  async stop(): Promise<void> {
    await Promise.all([this.#changes.stop(), this.#looks.stop()])
  }
}

import { registryShares } from '#modules/tlds/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { advanceChange } from './advance-change.ts'
import { claimDueChanges, isAnyChangeDue } from './change-store.ts'
import type { Change } from './domain-change.ts'
import { claimSyncs, type Domain, isAnySyncDue } from './store.ts'
import { type SyncWork, syncDomain } from './sync-domain.ts'

/** Domain changes that a process works on at once, and as many domain checks: at all registries, and at each. */
const maxWorking = 64
const maxOfRegistry = 16
/** If a worker dies, others can check its domain after this time. Seconds. */
const syncLeaseS = 600

/** Claims changes that are due and that no worker holds. */
export function claimChanges(
  { database }: SyncWork,
  max: number,
  exceptTlds: readonly string[] = [],
): Promise<Change[]> {
  return database.transact((tx) => claimDueChanges(tx, max, exceptTlds))
}

/** Claims domains whose check is due. */
export function claimLooks({ database }: SyncWork, max: number, exceptTlds: readonly string[] = []): Promise<Domain[]> {
  return database.transact((tx) => claimSyncs(tx, max, syncLeaseS, exceptTlds))
}

/** Claims and processes due domain changes and domain checks. It runs on wake-ups and once a second. Any number of processes may run it. */
export class DomainWorker {
  readonly #changes: ClaimedWork<Change>
  readonly #looks: ClaimedWork<Domain>

  constructor(work: SyncWork) {
    const { database, log, registries } = work
    const shares = registryShares(registries, maxOfRegistry)
    this.#changes = new ClaimedWork({
      name: 'changes of domains',
      log,
      max: maxWorking,
      look: database.pollFor(isAnyChangeDue),
      claim: (max, full) => claimChanges(work, max, shares.tldsOf(full)),
      shares,
      work: (change) => advanceChange(work, change),
      about: ({ id, name }) => ({ change: id, domain: name }),
      requestOf: ({ actor }) => actor.requestId,
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

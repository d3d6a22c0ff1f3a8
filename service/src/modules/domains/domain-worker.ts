import { inRequest } from '#platform/request-id.ts'
import { Rounds } from '#platform/rounds.ts'
import { claimDueActs } from './act-store.ts'
import { actLeaseS, carryOut } from './carry-out-act.ts'
import { claimSyncs, isAnyDue } from './store.ts'
import { type SyncWork, syncDomain } from './sync-domain.ts'

/** Domains that a process asks registries about at once. */
const maxWorking = 16
/** A worker that dies leaves the look at a domain to others after so long. Seconds. */
const syncLeaseS = 600

/** Takes what is due of domains: changes that broke off, and looks at the registry. Returns how many there were. */
export async function workDomains(work: SyncWork, max = maxWorking): Promise<number> {
  const { database, log } = work
  const acts = await database.transact((tx) => claimDueActs(tx, max, actLeaseS))
  const domains = await database.transact((tx) => claimSyncs(tx, max, syncLeaseS))
  const logged = (about: object, working: Promise<unknown>): Promise<unknown> =>
    working.catch((error: unknown) => {
      log.error({ err: error, ...about }, 'a step of a domain broke; it is taken again when its lease is over')
    })
  await Promise.all([
    ...acts.map((act) =>
      logged(
        { act: act.id },
        inRequest(act.actor.requestId, () => carryOut(work, act)),
      ),
    ),
    ...domains.map((domain) => logged({ domain: domain.name }, syncDomain(work, domain))),
  ])
  return acts.length + domains.length
}

/** Looks after domains, driven by wake-ups and, once a second, by itself. Any number of processes may run it. */
export class DomainWorker {
  readonly #rounds: Rounds

  constructor(work: SyncWork) {
    this.#rounds = new Rounds({
      name: 'domains',
      log: work.log,
      look: work.database.lookFor(isAnyDue),
      round: async () => (await workDomains(work)) > 0,
    })
  }

  start(): void {
    this.#rounds.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** Claims no more, and finishes what is under way. */
  stop(): Promise<void> {
    return this.#rounds.stop()
  }
}

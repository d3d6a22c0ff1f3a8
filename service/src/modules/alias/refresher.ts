import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import { byIndexAlone, type Database } from '#platform/postgres/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { Gather } from '#platform/work/gather.ts'
import { Rounds } from '#platform/work/rounds.ts'
import type { TargetLookup } from './look-up-target.ts'
import { afterLookup, type TargetResult } from './rules.ts'
import { spreadAddresses } from './spread-addresses.ts'
import { isAnyTargetBehind } from './spread-store.ts'
import { type ClaimedTarget, claimTargets, forgetUnused, isAnyTargetDue, recordResults } from './target-store.ts'

/** Maximum number of lookups in progress at once. A target that times out uses one slot for some seconds. */
const maxLookups = 500
/** Minimum number of targets to claim at once: claiming one by one would cost a transaction each. */
const leastClaim = 100
/** How long a lookup may take. */
const lookupMs = 5_000

export interface RefresherOptions {
  readonly database: Database
  readonly lookup: TargetLookup
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Looks up the targets of ALIAS records when their TTL expires, each once for all zones, and publishes what has changed. Any number of
 * processes may run it; if one is killed, its targets are due again in a minute.
 */
export class Refresher {
  readonly #options: RefresherOptions
  readonly #claimed: ClaimedWork<ClaimedTarget>
  readonly #spread: Rounds
  readonly #results: Gather<TargetResult, undefined>
  readonly #lookups: ReturnType<Metrics['counter']>
  readonly #spreadZones: ReturnType<Metrics['counter']>

  constructor(options: RefresherOptions) {
    this.#options = options
    const { database, log, metrics } = options
    this.#claimed = new ClaimedWork({
      name: 'ALIAS lookups',
      log,
      max: maxLookups,
      least: leastClaim,
      look: database.pollFor(isAnyTargetDue),
      claim: (max) =>
        database.transact(async (tx) => {
          await tx.apply(byIndexAlone)
          return await claimTargets(tx, max)
        }),
      work: (target) => this.#refresh(target),
      about: ({ target }) => ({ target }),
    })
    this.#spread = new Rounds({
      name: 'ALIAS addresses',
      log,
      look: database.pollFor(isAnyTargetBehind),
      round: async () => {
        const { zones, isMore } = await spreadAddresses(database)
        this.#spreadZones.inc(zones)
        return isMore
      },
    })
    this.#results = new Gather({ maxItems: 500, gapMs: 50 }, async (results) => {
      await recordResults(database.db, results)
      if (results.some(({ isChanged }) => isChanged)) this.#spread.wake()
      return results.map(() => undefined)
    })
    this.#lookups = metrics.counter({
      name: 'zonewright_alias_lookups_total',
      help: 'Lookups of the targets of ALIAS records. The outcome is same, changed, or the reason for a failure.',
      labelNames: ['outcome'],
    })
    this.#spreadZones = metrics.counter({
      name: 'zonewright_alias_zones_total',
      help: 'Zones that were published again because the addresses of a target changed.',
    })
  }

  start(): void {
    this.#claimed.start()
    this.#spread.start()
  }

  /** Stops claiming, and finishes the lookups in progress. */
  async stop(): Promise<void> {
    await this.#claimed.stop()
    await this.#spread.stop()
  }

  async #refresh(known: ClaimedTarget): Promise<void> {
    const { database, lookup } = this.#options
    if (!known.isUsed) {
      await database.transact((tx) => forgetUnused(tx, known.target))
      return
    }
    const found = await lookup.addresses(known.target, lookupMs)
    const result = afterLookup(known, found, (address) => lookup.isPublic(address))
    await this.#results.ask(result)
    this.#lookups.inc({ outcome: result.error ?? (result.isChanged ? 'changed' : 'same') })
  }
}

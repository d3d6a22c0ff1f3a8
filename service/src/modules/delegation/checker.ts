import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import { byIndexAlone } from '#platform/postgres/index.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { Gather } from '#platform/work/gather.ts'
import { type CheckContext, type CheckOutcome, checkClaimed, recordMoves } from './check-delegation.ts'
import { type CheckRecord, type ClaimedZone, claimDue, isAnyDue, recordChecks } from './store.ts'

/** Maximum number of checks in progress at once. A parent that does not answer uses one slot for some seconds, and must not block the others. */
const maxChecking = 400
/** Minimum number of zones to claim at once: claiming one by one would cost a transaction each. */
const leastClaim = 100

type Moved = Extract<CheckOutcome, { move: unknown }>['move']

export interface CheckerOptions extends CheckContext {
  readonly log: Logger
  readonly metrics: Metrics
}

/** Checks due delegations. Any number of processes may run it; if one is killed, its zones are due again in a minute. */
export class Checker {
  readonly #options: CheckerOptions
  readonly #claimed: ClaimedWork<ClaimedZone>
  readonly #records: Gather<CheckRecord, undefined>
  readonly #moves: Gather<Moved, undefined>
  readonly #checks: ReturnType<Metrics['counter']>

  constructor(options: CheckerOptions) {
    this.#options = options
    const { database, log } = options
    this.#claimed = new ClaimedWork({
      name: 'delegation checks',
      log,
      max: maxChecking,
      least: leastClaim,
      look: database.pollFor(isAnyDue),
      claim: (max) =>
        database.transact(async (tx) => {
          await tx.apply(byIndexAlone)
          return await claimDue(tx, max)
        }),
      work: (zone) => this.#check(zone),
      about: ({ name }) => ({ zone: name }),
    })
    this.#records = new Gather({ maxItems: 500, gapMs: 50 }, async (records) => {
      await recordChecks(database.db, records)
      return records.map(() => undefined)
    })
    this.#moves = new Gather({ maxItems: 100, gapMs: 50 }, async (findings) => {
      await recordMoves(options, findings)
      return findings.map(() => undefined)
    })
    this.#checks = options.metrics.counter({
      name: 'zonewright_delegation_checks_total',
      help: 'Delegation checks. The outcome is same, moved (the delegation has changed), or the reason for a failure.',
      labelNames: ['outcome'],
    })
  }

  start(): void {
    this.#claimed.start()
  }

  /** Stops claiming, and finishes the checks in progress. */
  stop(): Promise<void> {
    return this.#claimed.stop()
  }

  async #check(zone: ClaimedZone): Promise<void> {
    const outcome = await checkClaimed(this.#options, zone)
    if ('move' in outcome) {
      await this.#moves.ask(outcome.move)
      this.#options.log.info({ zone: zone.name }, 'a delegation changed')
    } else await this.#records.ask(outcome.record)
    this.#checks.inc({ outcome: 'move' in outcome ? 'moved' : (outcome.record.failure ?? 'same') })
  }
}

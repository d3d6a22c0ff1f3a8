import { parseName } from '@zonewright/dns'
import { tsigNameOf } from '#modules/api-keys/index.ts'
import { zoneSoa } from '#modules/primary/index.ts'
import { NameserverTalk, UdpRequester } from '#modules/publication/index.ts'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { afterNotify, type NotifyOutcome, type Reach } from './rules.ts'
import { type ClaimedSecondary, claimDue, hasAnySecondary, recordNotify } from './store.ts'

/**
 * NOTIFYs in progress at once, in total and for the zones of one account. A secondary that does not answer uses one slot for `answerMs`. One
 * account cannot take the slots of others, however many secondaries it has that do not answer.
 */
const mostAtOnce = 1_000
const mostOfAccount = 100
/** How long a secondary has to answer. */
const answerMs = 3_000

export interface NotifierOptions extends Pick<Reach, 'mayReach'> {
  readonly database: Database
  readonly secrets: Pick<SecretBox, 'open'>
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Sends customers' own secondaries a signed NOTIFY after each change, within about a second. Any number of processes may run it; if one is
 * killed, its NOTIFYs are due again after ten seconds.
 *
 * It compares serials once a second and needs no wake-up, so changes of zones without secondaries cost nothing.
 */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #requester: UdpRequester
  readonly #claimed: ClaimedWork<ClaimedSecondary>
  readonly #notifies: ReturnType<Metrics['counter']>

  constructor(options: NotifierOptions) {
    this.#options = options
    const { database, log, metrics } = options
    this.#requester = new UdpRequester(log)
    this.#claimed = new ClaimedWork({
      name: 'secondaries',
      log,
      max: mostAtOnce,
      look: database.pollFor(hasAnySecondary),
      claim: (max, full) => database.transact((tx) => claimDue(tx, max, full)),
      shares: { of: ({ accountId }) => accountId, max: mostOfAccount },
      work: (secondary) => this.#notify(secondary),
      about: ({ zoneName, address }) => ({ zone: zoneName, address }),
    })
    this.#notifies = metrics.counter({
      name: 'zonewright_secondary_notifies_total',
      help: "NOTIFYs to customers' own secondaries. The outcome is acknowledged, refused or silent.",
      labelNames: ['outcome'],
    })
  }

  start(): void {
    this.#claimed.start()
  }

  /** Stops claiming. NOTIFYs in progress get no answer, and are due again. */
  async stop(): Promise<void> {
    const stopped = this.#claimed.stop()
    this.#requester.close()
    await stopped
  }

  async #notify(secondary: ClaimedSecondary): Promise<void> {
    const outcome = await this.#outcomeOf(secondary)
    await recordNotify(this.#options.database.db, secondary, outcome, afterNotify(outcome, secondary.attempts))
    this.#notifies.inc({ outcome })
  }

  async #outcomeOf(secondary: ClaimedSecondary): Promise<NotifyOutcome> {
    const { address: host, port, keyId, sealed, zoneName, serial, nameservers } = secondary
    // The list of addresses that are not public may have grown since the secondary was added.
    if (!this.#options.mayReach({ host, port })) return 'refused'
    const secret = this.#options.secrets.open('api_key_tsig.secret', keyId, sealed)
    const talk = new NameserverTalk(
      this.#requester,
      { host, port },
      {
        name: parseName(`${tsigNameOf(keyId)}.`),
        algorithm: 'hmac-sha256',
        secret: new Uint8Array(Buffer.from(secret, 'base64')),
      },
    )
    const outcome = await talk.notify(parseName(`${zoneName}.`), zoneSoa(zoneName, serial, nameservers), answerMs)
    // Its clock is wrong: it will not accept our transfers either.
    return typeof outcome === 'object' ? 'refused' : outcome
  }
}

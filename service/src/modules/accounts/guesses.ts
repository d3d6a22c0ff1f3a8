import { Refusal } from '#platform/errors.ts'
import { siteOf } from '#platform/network-of.ts'
import type { Database, Db, Tx } from '#platform/postgres/index.ts'
import type { AccountMails } from './account-mails.ts'
import { countersOf, delayS, failureOf, type Guesser, type GuessKind, tellAfterFailures } from './guess-rules.ts'
import {
  dropGuesses,
  forgetGuesses,
  forgiveNetworks,
  guessesOf,
  lockGuesses,
  noteFailure,
  setGuesses,
  uncountGuess,
} from './guess-store.ts'
import { readAccount } from './store.ts'

/** A guess that may be evaluated. It counts as a failure until `wasRight`. */
export interface Guess {
  readonly guesser: Guesser
  /**
   * The guess was right: it does not count, and the account's earlier failures that delayed it are forgotten. With `stillUnproven` it
   * keeps counting for its network: the password was right, but the code is still missing.
   */
  wasRight(db: Db, options?: { readonly stillUnproven: boolean }): Promise<void>
  /** The guess was wrong: records it, and sends the owner an email if there were many within an hour. */
  wasWrong(tx: Tx): Promise<void>
}

/** Delays guesses of passwords and codes. The more have failed, the longer the delay (`guessDelays`). */
export class Guesses {
  readonly #database: Database
  readonly #mails: AccountMails

  constructor(database: Database, mails: AccountMails) {
    this.#database = database
    this.#mails = mails
  }

  /**
   * Counts a guess before its outcome is known, so that concurrent guesses cannot all pass.
   *
   * Throws `rate_limited` with Retry-After while it must wait. Such a guess is not evaluated, not counted, and does not extend the wait.
   */
  async begin(kind: GuessKind, guesser: Guesser): Promise<Guess> {
    const counters = countersOf(kind, guesser)
    // A known device does not wait behind other people's guesses.
    const turn = `guess ${guesser.subject} ${guesser.device ?? ''}`
    await this.#database.transactInTurn(turn, async (tx) => {
      const counted = await lockGuesses(tx, kind, counters)
      const waitS = Math.max(...counted.map((each) => each.waitS))
      if (waitS > 0) throw mustWait(waitS)
      await setGuesses(
        tx,
        kind,
        counters.map(({ subject, source, delays }) => {
          const before = counted.find((each) => each.subject === subject && each.source === source)
          const failures = (before?.failures ?? 0) + 1
          return { subject, source, failures, delayS: delayS(delays, failures) }
        }),
      )
    })
    return {
      guesser,
      wasRight: async (db, { stillUnproven } = { stillUnproven: false }) => {
        for (const counter of counters)
          if (counter.scope !== 'network') await dropGuesses(db, kind, counter)
          else if (!stillUnproven) await uncountGuess(db, kind, counter)
      },
      wasWrong: (tx) => this.#noteFailure(tx, kind, guesser),
    }
  }

  /** Counts a guess of a password, and records whether `look` finds it right. */
  async checkPassword(guesser: Guesser, look: () => Promise<boolean>): Promise<boolean> {
    const guess = await this.begin('password', guesser)
    const isRight = await look()
    await this.#database.transact((tx) => (isRight ? guess.wasRight(tx) : guess.wasWrong(tx)))
    return isRight
  }

  /** A sign-in whose code was entered: its password no longer counts for its network. */
  async wasProven(db: Db, kind: GuessKind, guesser: Guesser): Promise<void> {
    for (const counter of countersOf(kind, guesser))
      if (counter.scope === 'network') await uncountGuess(db, kind, counter)
  }

  async #noteFailure(tx: Tx, kind: GuessKind, { subject, address }: Guesser): Promise<void> {
    const what = failureOf(kind)
    // The same for an address without an account: the response time must not reveal which addresses have one.
    const isToTell = await noteFailure(tx, subject, what, tellAfterFailures[what])
    if (!isToTell || subject.includes('@')) return
    const account = await readAccount(tx, subject)
    if (account) await this.#mails.guessesFailed(tx, account, { what, from: address })
  }
}

/**
 * Ends the delays of an account after a completed password reset.
 *
 * The account's failures are also subtracted from the totals of their networks. The account's total of wrong codes stays, without its delay:
 * otherwise an attacker with access to the mailbox could guess a new series of codes after each reset.
 */
export async function clearDelays(tx: Tx, accountId: string): Promise<void> {
  const counted = await guessesOf(tx, accountId)
  const bySite = Map.groupBy(counted, ({ kind, source }) => `${kind} ${siteOf(source)}`)
  await forgiveNetworks(
    tx,
    [...bySite].map(([key, each]) => {
      const [kind = '', ...source] = key.split(' ')
      return { kind, source: source.join(' '), failures: each.reduce((sum, { failures }) => sum + failures, 0) }
    }),
  )
  await forgetGuesses(tx, accountId)
}

function mustWait(seconds: number): Refusal {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  const wait = `${count} ${unit}${count === 1 ? '' : 's'}`
  return new Refusal('rate_limited', `Too many failed attempts. Try again in ${wait}.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

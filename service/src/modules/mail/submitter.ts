import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import { applySettings, byIndexAlone, type Database, type Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { MailGivenUp, type MailServer } from '#ports/mail.ts'
import type { MailFigures } from './figures.ts'
import { type Content, contentPurpose } from './queue-mail.ts'
import { type Failure, retryDelayS } from './rules.ts'
import { claimMails, type DueMail, isAnyDue, recordFailure, recordSent, releaseMail } from './store.ts'

/** Mails on the way at once. */
const maxSubmitting = 5
/** A mail under way when the process is told to stop may take this long; then it is given up, and sent by others. */
const stopWithinMs = 4_000
/** While the database is away, what came of a mail waits so long to be recorded. */
const pauseMs = 500

export interface SubmitterOptions {
  readonly database: Database
  readonly log: Logger
  readonly secrets: SecretBox
  readonly server: MailServer
  readonly figures: MailFigures
}

/**
 * Hands due mails to the mail server: claims them, sends outside any transaction, and records what came of it. Any number of
 * processes may run it. A mail whose worker was killed is sent again, under the same Message-ID.
 */
export class Submitter {
  readonly #options: SubmitterOptions
  readonly #claimed: ClaimedWork<DueMail>
  readonly #stopping = new AbortController()
  #stopped = false

  constructor(options: SubmitterOptions) {
    this.#options = options
    const { database, log } = options
    this.#claimed = new ClaimedWork({
      name: 'mails',
      log,
      max: maxSubmitting,
      look: database.pollFor(isAnyDue),
      claim: (max) =>
        database.transact(async (tx) => {
          await applySettings(tx, byIndexAlone)
          return await claimMails(tx, max)
        }),
      work: (mail) => this.#submit(mail),
      about: ({ id }) => ({ mail: id }),
      requestOf: ({ requestId }) => requestId,
    })
  }

  start(): void {
    this.#claimed.start()
  }

  wake(): void {
    this.#claimed.wake()
  }

  /** Claims no more, and finishes what is under way, within 5 s. */
  async stop(): Promise<void> {
    this.#stopped = true
    const timer = setTimeout(() => this.#stopping.abort(), stopWithinMs)
    await this.#claimed.stop()
    clearTimeout(timer)
  }

  async #submit(mail: DueMail): Promise<void> {
    const { log, figures } = this.#options
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts + 1 }
    const outcome = await this.#send(mail)
    if (outcome === undefined) return await this.#record((tx) => releaseMail(tx, mail))
    const { failure, reply } = outcome
    figures.attempted(failure ?? 'sent')
    if (failure === null) {
      await this.#record((tx) => recordSent(tx, mail))
      log.info(about, 'email sent')
      return
    }
    const retryS = retryDelayS(about.attempt, failure)
    const isGivenUp = await this.#record((tx) => recordFailure(tx, mail, { failure, reply, retryS }))
    if (isGivenUp) log.error({ ...about, failure, reply }, 'an email was refused and will not be retried')
    else log.warn({ ...about, failure, reply, retryS }, 'an email was refused; retrying')
  }

  /** Undefined: it was broken off, since the process stops. */
  async #send(mail: DueMail): Promise<{ failure: Failure | null; reply: string | null } | undefined> {
    const { id, kind, to, queuedAt } = mail
    const content = this.#contentOf(mail)
    if (content === undefined) return { failure: 'unreadable', reply: null }
    try {
      return await this.#options.server.send({
        id,
        kind,
        to,
        ...content,
        date: queuedAt,
        signal: this.#stopping.signal,
      })
    } catch (error) {
      if (error instanceof MailGivenUp) return undefined
      throw error
    }
  }

  /** Undefined when it was sealed with another SECRET_KEY. */
  #contentOf({ id, content }: DueMail): Content | undefined {
    try {
      return JSON.parse(this.#options.secrets.open(contentPurpose(id), content)) as Content
    } catch {
      return undefined
    }
  }

  /** A mail that was sent and is not recorded would be sent twice: while the database is away, that waits. */
  async #record<T>(write: (tx: Tx) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.#options.database.transact(write)
      } catch (error) {
        if (!(error instanceof Refusal) || this.#stopped) throw error
        await delay(pauseMs)
      }
    }
  }
}

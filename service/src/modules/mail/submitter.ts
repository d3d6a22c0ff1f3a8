import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import { byIndexAlone, type Database, type Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { ClaimedWork } from '#platform/work/claimed-work.ts'
import { MailGivenUp, type MailServer } from '#ports/mail.ts'
import type { MailFigures } from './figures.ts'
import { signedBy } from './messages/message.ts'
import type { Content } from './queue-mail.ts'
import { type Failure, retryDelayS } from './rules.ts'
import { claimMails, type DueMail, isAnyDue, recordFailure, recordSent, releaseMail } from './store.ts'

/** Maximum number of concurrent emails. */
const maxSubmitting = 5
/** Time that an email in progress may take after the process is asked to stop. After that, other processes send it. */
const stopWithinMs = 4_000
/** How long to wait before another attempt to record an outcome while the database is down. */
const pauseMs = 500

export interface SubmitterOptions {
  readonly database: Database
  readonly log: Logger
  readonly secrets: SecretBox
  readonly server: MailServer
  readonly figures: MailFigures
  /** The name at the end of each email. */
  readonly serviceName: string
}

/**
 * Passes due emails to the mail server: claims them, sends them outside any transaction, and records the outcomes. Any number of processes can run
 * it. If a worker is killed, its email is sent again with the same Message-ID.
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
          await tx.apply(byIndexAlone)
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

  /** Stops claiming, and finishes emails in progress within 5 s. */
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

  /** Undefined: sending was aborted because the process stops. */
  async #send(mail: DueMail): Promise<{ failure: Failure | null; reply: string | null } | undefined> {
    const { id, kind, to, queuedAt } = mail
    const content = this.#contentOf(mail)
    if (content === undefined) return { failure: 'unreadable', reply: null }
    try {
      return await this.#options.server.send({
        id,
        kind,
        to,
        ...signedBy(content, this.#options.serviceName),
        date: queuedAt,
        signal: this.#stopping.signal,
      })
    } catch (error) {
      if (error instanceof MailGivenUp) return undefined
      throw error
    }
  }

  /** Undefined: the content was sealed with another SECRET_KEY. */
  #contentOf({ id, content }: DueMail): Content | undefined {
    try {
      return JSON.parse(this.#options.secrets.open('mails.content', id, content)) as Content
    } catch {
      return undefined
    }
  }

  /** Waits while the database is down, because an email that was sent but not recorded would be sent twice. */
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

import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Wake } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { MailServer } from '#ports/mail.ts'
import { MailFigures } from './figures.ts'
import { Submitter } from './submitter.ts'

export interface MailsOptions {
  readonly database: Database
  readonly wake: Wake
  readonly log: Logger
  readonly metrics: Metrics
  readonly secrets: SecretBox
  /** Undefined: there is no mail server, and emails wait. */
  readonly server: MailServer | undefined
  /** The name at the end of each email. */
  readonly serviceName: string
}

/**
 * Starts sending emails in this process, driven by wake-ups and by a sweep once a second.
 *
 * Without a mail server, it logs this once, and emails wait for a process that has one, as long as they are useful. `stop` finishes emails in
 * progress within 5 s.
 */
export function startMails({ wake, metrics, server, ...options }: MailsOptions): { stop(): Promise<void> } {
  if (server === undefined) {
    options.log.warn('SMTP_URL is not set, so no email is sent; emails wait for at most two days')
    return { stop: async () => undefined }
  }
  const submitter = new Submitter({ ...options, server, figures: new MailFigures(metrics) })
  wake.on('mails_due', () => submitter.wake())
  submitter.start()
  return { stop: () => submitter.stop() }
}

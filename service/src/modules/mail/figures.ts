import { Counter, type Registry } from '#platform/figures/metrics.ts'

/** What `/metrics` tells of mails. */
export class MailFigures {
  readonly #attempts: Counter

  constructor(metrics: Registry) {
    this.#attempts = new Counter({
      name: 'mail_attempts_total',
      help: 'Emails handed to the mail server, by outcome: sent, or the failure code.',
      labelNames: ['outcome'],
      registers: [metrics],
    })
  }

  attempted(outcome: string): void {
    this.#attempts.inc({ outcome })
  }
}

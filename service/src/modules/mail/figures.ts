import { Counter, type Registry } from '#platform/figures/metrics.ts'

/** What `/metrics` tells of mails. */
export class MailFigures {
  readonly #attempts: Counter

  constructor(metrics: Registry) {
    this.#attempts = new Counter({
      name: 'mail_attempts_total',
      help: 'Mails handed to the mail server by outcome: sent, or the word of the failure.',
      labelNames: ['outcome'],
      registers: [metrics],
    })
  }

  attempted(outcome: string): void {
    this.#attempts.inc({ outcome })
  }
}

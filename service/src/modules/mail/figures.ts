import type { Metrics } from '#platform/figures/metrics.ts'

/** Metrics of emails. */
export class MailFigures {
  readonly #attempts: ReturnType<Metrics['counter']>

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter({
      name: 'mail_attempts_total',
      help: 'Attempts to send an email to the mail server. The outcome is sent or a failure code.',
      labelNames: ['outcome'],
    })
  }

  attempted(outcome: string): void {
    this.#attempts.inc({ outcome })
  }
}

import type { Metrics } from '#platform/figures/metrics.ts'
import type { Attempt, DueDelivery } from './attempt.ts'

/** The metrics about deliveries. */
export class DeliveryFigures {
  readonly #attempts: ReturnType<Metrics['counter']>
  readonly #latency: ReturnType<Metrics['histogram']>
  readonly #claim: ReturnType<Metrics['histogram']>

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter({
      name: 'webhook_attempts_total',
      help: 'Webhook requests. The outcome is succeeded or a failure code.',
      labelNames: ['outcome'],
    })
    this.#latency = metrics.histogram({
      name: 'webhook_first_attempt_seconds',
      help: 'Time from the creation of an event to the response to its first attempt. The time for which the event was held counts.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    })
    this.#claim = metrics.histogram({
      name: 'webhook_claim_seconds',
      help: 'Time that a worker takes to claim overdue lanes and their next deliveries.',
      buckets: [0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    })
  }

  /** How long the database took to claim lanes. */
  claimed(seconds: number): void {
    this.#claim.observe(seconds)
  }

  attempted(delivery: DueDelivery, { failure, startedAt, durationMs }: Attempt): void {
    this.#attempts.inc({ outcome: failure ?? 'succeeded' })
    // The id of an event holds the milliseconds of its creation.
    const createdAtMs = Number.parseInt(delivery.eventId.slice(4, 16), 16)
    if (delivery.attempts === 0 && !delivery.manual)
      this.#latency.observe((startedAt.getTime() + durationMs - createdAtMs) / 1000)
  }
}

import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Wake } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { BodyBudget } from '#platform/work/body-budget.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { AttemptCounts } from './attempt-counts.ts'
import { FanOut } from './fan-out.ts'
import { DeliveryFigures } from './figures.ts'
import type { LaneLimits } from './lane-shares.ts'
import { Lanes } from './lanes.ts'
import { Sender } from './sender.ts'

/** Requests that a process has in flight at once. */
const defaultLaneLimits: LaneLimits = { healthy: 128, struggling: 64 }

/** Together with the request's ten seconds, a wait for memory ends well before the lease of 30 s. */
const defaultBodyBudget = { bytes: 64 * 1024 * 1024, waitMs: 10_000 }

export interface WebhooksOptions {
  readonly database: Database
  readonly wake: Wake
  readonly http: WebhookHttp
  readonly secrets: SecretBox
  readonly log: Logger
  readonly metrics: Metrics
  /** Named in the User-Agent: PUBLIC_URL. */
  readonly site: string
  readonly laneLimits?: LaneLimits
  readonly bodyBudget?: BodyBudget
}

/**
 * Starts fan-out and lanes in this process, driven by wake-ups and by a sweep once a second.
 *
 * `stop` finishes requests in progress, within 5 s.
 */
export function startWebhooks(options: WebhooksOptions): { stop(): Promise<void> } {
  const {
    database,
    wake,
    http,
    secrets,
    log,
    metrics,
    site,
    laneLimits = defaultLaneLimits,
    bodyBudget = new BodyBudget(defaultBodyBudget),
  } = options
  const sender = new Sender({ http, secrets, site })
  const counts = new AttemptCounts({ database, log })
  const lanes = new Lanes({
    database,
    log,
    sender,
    figures: new DeliveryFigures(metrics),
    counts,
    laneLimits,
    bodyBudget,
    mailContext: { secrets, site },
    onMore: () => wake.tell('lanes_due'),
  })
  const fanOut = new FanOut({ database, log, onDue: () => lanes.wakeFirst() })
  wake.on('events_ready', () => fanOut.wake())
  wake.on('fan_out_free', () => fanOut.takeOver())
  wake.on('lanes_due', () => lanes.wake())
  wake.on('lanes_changed', (endpointIds) => lanes.readAgain(endpointIds))
  fanOut.start()
  lanes.start()
  return {
    stop: async () => {
      // Immediately, because lanes must claim nothing more while fan-out still finishes its round.
      await Promise.all([fanOut.stop(), lanes.stop()])
      await counts.stop()
      if (!fanOut.standsBy) wake.tell('fan_out_free')
    },
  }
}

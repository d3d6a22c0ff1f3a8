import { showInstallation } from '#compose/installation-figures.ts'
import type { Platform } from '#compose/platform.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** A queue, the age at which it needs attention, and the age at which it is a fault (by default, ten times as much). */
interface Queue {
  readonly metric: string
  readonly what: string
  readonly warningS: number
  readonly faultS?: number
  readonly advice: string
}

const hourS = 3_600
const dayS = 24 * hourS

const moreWorkers = 'Start more workers, or check that one runs.'

const queues: readonly Queue[] = [
  {
    metric: 'webhook_oldest_due_seconds',
    what: 'The oldest webhook that is due',
    warningS: 60,
    advice: moreWorkers,
  },
  {
    metric: 'zonewright_events_oldest_released_seconds',
    what: 'The oldest event that no worker has taken',
    warningS: 60,
    advice: 'Start a worker (service/bin/worker.ts).',
  },
  {
    metric: 'zonewright_events_oldest_held_seconds',
    what: 'The oldest event that waits for nameservers',
    warningS: 60,
    advice: 'A worker releases it after 30 s. Check that one runs.',
  },
  {
    metric: 'mail_oldest_due_seconds',
    what: 'The oldest mail that is due',
    warningS: 300,
    advice: moreWorkers,
  },
  {
    metric: 'mail_oldest_waiting_seconds',
    what: 'The oldest mail that could not be sent yet',
    warningS: hourS,
    advice:
      'The mail server refuses it. The service gives up after two days. See "A mail does not arrive" in docs/runbooks/what-to-do-when-it-breaks.md.',
  },
  {
    metric: 'zonewright_delegation_oldest_due_seconds',
    what: 'The oldest delegation check that is due',
    warningS: 900,
    advice: moreWorkers,
  },
  {
    metric: 'zonewright_alias_oldest_due_seconds',
    what: 'The oldest lookup of an ALIAS target that is due',
    warningS: 60,
    advice: moreWorkers,
  },
  {
    metric: 'zonewright_order_oldest_due_seconds',
    what: 'The oldest order whose next step is due',
    warningS: 300,
    advice: moreWorkers,
  },
  {
    metric: 'zonewright_order_oldest_processing_seconds',
    what: 'The oldest paid order that is not finished',
    warningS: 600,
    faultS: hourS,
    advice:
      'The command "order stuck" lists such orders with the registry’s response. 2104: our account at the registry is empty, so pay in. No response: the registry cannot be reached (docs/runbooks/connect-a-registry.md).',
  },
  {
    metric: 'zonewright_order_oldest_pending_seconds',
    what: 'The oldest order that waits for its registry, or whose transfer is in progress,',
    warningS: 10 * dayS,
    faultS: 30 * dayS,
    advice:
      'Ask the registry. The command "order stuck" shows the clTRID that identifies the order there. "order mark" then ends the order or the transfer.',
  },
  {
    metric: 'zonewright_payment_oldest_due_seconds',
    what: 'The oldest request to the card gateway that is due',
    warningS: 300,
    advice: moreWorkers,
  },
  {
    metric: 'zonewright_payment_oldest_unanswered_seconds',
    what: 'The oldest payment without an answer from the card gateway',
    warningS: 2 * hourS,
    advice: 'The gateway does not respond, or PAYSTACK_SECRET_KEY is no longer valid. Customers cannot pay.',
  },
  {
    metric: 'zonewright_refund_oldest_wanted_seconds',
    what: 'The oldest refund that the card gateway has not accepted',
    warningS: 600,
    faultS: hourS,
    advice: 'The gateway does not respond, or PAYSTACK_SECRET_KEY is no longer valid. The worker’s log says why.',
  },
  {
    metric: 'zonewright_refund_oldest_posted_seconds',
    what: 'The oldest refund that the card gateway has accepted and the bank has not',
    warningS: 14 * dayS,
    faultS: 60 * dayS,
    advice: "See the refund on the gateway's own page, or ask its support.",
  },
  {
    metric: 'zonewright_domain_act_oldest_due_seconds',
    what: 'The oldest domain change that is due',
    warningS: 300,
    advice: moreWorkers,
  },
  {
    metric: 'zonewright_domain_act_oldest_open_seconds',
    what: 'The oldest domain change that is not finished',
    warningS: 600,
    faultS: hourS,
    advice:
      'The command "domain stuck" lists such changes with the registry’s response. No response: the registry cannot be reached (docs/runbooks/connect-a-registry.md).',
  },
  {
    metric: 'zonewright_domain_act_oldest_pending_seconds',
    what: 'The oldest domain change that waits for its registry',
    warningS: 10 * dayS,
    faultS: 30 * dayS,
    advice: 'Ask the registry. The command "domain stuck" shows the clTRID that identifies the change there.',
  },
  {
    metric: 'zonewright_registry_operation_oldest_unknown_seconds',
    what: 'The oldest registry command whose outcome is unknown',
    warningS: 900,
    advice: 'The registry does not respond. See "connect a registry".',
  },
  {
    metric: 'zonewright_domain_operation_oldest_unknown_seconds',
    what: 'The oldest domain change whose outcome is unknown',
    warningS: 900,
    advice: 'The registry does not respond. See "connect a registry".',
  },
]

/** Checks how long the oldest work has waited, and whether a worker runs. */
export async function queueFindings(platform: Platform): Promise<Finding[]> {
  const metrics = createMetrics()
  showInstallation({ ...platform, metrics })
  const figures = await metrics.metrics()
  const ages = queues.map((queue) => ({
    ...queue,
    ageS: Number(new RegExp(`^${queue.metric} (\\S+)$`, 'm').exec(figures)?.[1]),
  }))
  const late = ages.filter(({ ageS, warningS }) => !(ageS <= warningS))
  return [
    await workerFinding(platform.database.db),
    ...late.map(({ what, ageS, warningS, faultS = warningS * 10, advice }) =>
      (ageS > faultS ? fault : warning)(`${what} has waited for ${spanOf(ageS)}.`, advice),
    ),
    ...(late.length === 0 ? [ok(`None of ${ages.length} queues is late.`)] : []),
  ]
}

/** A duration in words. */
function spanOf(seconds: number): string {
  if (seconds >= 2 * dayS) return `${Math.round(seconds / dayS)} days`
  if (seconds >= 2 * hourS) return `${Math.round(seconds / hourS)} hours`
  return seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds)} s`
}

async function workerFinding(db: Db): Promise<Finding> {
  const { rows } = await sql<{ application: string }>`
    select distinct application_name as application from pg_stat_activity
    where application_name like 'zonewright %' and datname = current_database()`.execute(db)
  const running = rows.map(({ application }) => application.replace('zonewright ', ''))
  const lacking = ['api', 'worker', 'primary'].filter((part) => !running.includes('all') && !running.includes(part))
  if (lacking.length === 0) return ok('API, worker and primary are connected to the database.')
  return fault(
    `No ${lacking.join(' and no ')} is connected to the database.`,
    `Start ${lacking.map((part) => `service/bin/${part}.ts`).join(', ')}.`,
  )
}

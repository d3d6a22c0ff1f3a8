import { type Db, sql } from '#platform/db.ts'
import { createMetrics } from '#platform/metrics.ts'
import { showInstallation } from '../installation-figures.ts'
import type { Platform } from '../platform.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** A queue, when it is late, and what that means. Ages are in seconds. */
const queues = [
  {
    metric: 'webhook_oldest_due_seconds',
    what: 'The oldest webhook that is due',
    warningS: 60,
    advice: 'More workers are needed, or none runs.',
  },
  {
    metric: 'zonewright_events_oldest_released_seconds',
    what: 'The oldest event that no worker has taken',
    warningS: 60,
    advice: 'A worker is needed: service/bin/worker.ts.',
  },
  {
    metric: 'zonewright_events_oldest_held_seconds',
    what: 'The oldest event that waits for nameservers',
    warningS: 60,
    advice: 'A worker releases it after 30 s: see that one runs.',
  },
  {
    metric: 'mail_oldest_due_seconds',
    what: 'The oldest mail that is due',
    warningS: 300,
    advice: 'See "A mail does not arrive" in docs/runbooks/what-to-do-when-it-breaks.md.',
  },
  {
    metric: 'zonewright_delegation_oldest_due_seconds',
    what: 'The oldest delegation check that is due',
    warningS: 900,
    advice: 'More workers are needed, or none runs.',
  },
  {
    metric: 'zonewright_order_oldest_due_seconds',
    what: 'The oldest order whose next step is due',
    warningS: 300,
    advice: 'Workers are missing, or the registry or card gateway does not answer: see their logs.',
  },
  {
    metric: 'zonewright_domain_act_oldest_due_seconds',
    what: 'The oldest change of a domain that is due',
    warningS: 300,
    advice: 'Workers are missing, or the registry does not answer: see their logs.',
  },
  {
    metric: 'zonewright_registry_operation_oldest_unknown_seconds',
    what: 'The oldest registry command that nobody knows the outcome of',
    warningS: 900,
    advice: 'The registry does not answer: see "connect a registry".',
  },
  {
    metric: 'zonewright_domain_operation_oldest_unknown_seconds',
    what: 'The oldest change of a domain that nobody knows the outcome of',
    warningS: 900,
    advice: 'The registry does not answer: see "connect a registry".',
  },
] as const

/** Looks at how old what waits is, and whether somebody is there to do it. */
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
    ...late.map(({ what, ageS, warningS, advice }) =>
      (ageS > warningS * 10 ? fault : warning)(`${what} has waited for ${Math.round(ageS)} s.`, advice),
    ),
    ...(late.length === 0 ? [ok(`None of ${ages.length} queues is late.`)] : []),
  ]
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

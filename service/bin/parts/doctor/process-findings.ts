import type { Platform } from '#compose/platform.ts'
import { textOf } from '#platform/settings/configuration.ts'
import { clockDriftS, type Finding, fault, ok, synchronizeClocks, warning, whyUnreachable } from './finding.ts'

/** Checks whether each process of METRICS_TARGETS is ready, and compares its clock with this machine's. */
export async function processFindings({ configuration }: Pick<Platform, 'configuration'>): Promise<Finding[]> {
  const targets = configuration.metricsTargets.map(textOf)
  const found = (await Promise.all(targets.map(findingsOf))).flat()
  if (targets.length === 0 || found.length > 0) return found
  return [
    ok(`All processes (${targets.length}) of METRICS_TARGETS are ready, and their clocks agree with this machine's.`),
  ]
}

async function findingsOf(target: string): Promise<Finding[]> {
  try {
    const sentMs = Date.now()
    const { time } = (await ask(target, 'healthz').then((answer) => answer.json())) as { time: string }
    const hereMs = (sentMs + Date.now()) / 2
    const ready = await ask(target, 'readyz')
    const body = (await ready.json()) as { detail?: string }
    return [
      ...(ready.status === 200
        ? []
        : [fault(`The process at ${target} is not ready: ${body.detail}`, 'Its log says what it waits for.')]),
      ...clockFindings(target, new Date(time), new Date(hereMs)),
      ...(await certificateFindings(target)),
    ]
  } catch (error) {
    return [
      fault(
        `The process at ${target} does not respond: ${whyUnreachable(error)}.`,
        'Start it. If it was removed, remove it from METRICS_TARGETS.',
      ),
    ]
  }
}

function ask(target: string, path: string): Promise<Response> {
  return fetch(`http://${target}/${path}`, { signal: AbortSignal.timeout(5_000) })
}

function clockFindings(target: string, theirs: Date, ours: Date): Finding[] {
  const driftS = Math.abs(theirs.getTime() - ours.getTime()) / 1_000
  // A process of the previous version does not report its time (NaN).
  if (!(driftS > clockDriftS.warning)) return []
  const [there, here] = [theirs, ours].map((time) => time.toISOString().slice(0, 19))
  return [
    (driftS > clockDriftS.fault ? fault : warning)(
      `The clock of the process at ${target} says ${there}Z, and this machine's clock says ${here}Z.`,
      synchronizeClocks,
    ),
  ]
}

/** The certificate that a DNS door uses. The door may run on another machine, so its files and environment may differ from those here. */
async function certificateFindings(target: string): Promise<Finding[]> {
  const page = await ask(target, 'metrics').then((answer) => answer.text())
  const seconds = Number(/^zonewright_door_certificate_expiry_seconds (\S+)$/m.exec(page)?.[1])
  // Without a DNS door, or without TLS, it is NaN.
  if (!(seconds < 14 * daySeconds)) return []
  const days = Math.floor(seconds / daySeconds)
  const says =
    days < 0
      ? `The certificate that the DNS door at ${target} uses has expired.`
      : `The certificate that the DNS door at ${target} uses expires in ${days} days.`
  return [
    (days < 0 ? fault : warning)(
      says,
      'Renew it, and send SIGHUP to the door, which reads it again (docs/runbooks/deploy.md, "The DNS door").',
    ),
  ]
}

const daySeconds = 24 * 60 * 60

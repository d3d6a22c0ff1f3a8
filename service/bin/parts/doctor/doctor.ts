import { displayText } from '@zonewright/contract'
import { databaseOf, openPlatform, type Platform } from '#compose/platform.ts'
import { CannotStart } from '#platform/cannot-start.ts'
import { createLogger } from '#platform/log.ts'
import type { EmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts'
import { ConfigurationFault, readConfiguration } from '#platform/settings/configuration.ts'
import { databaseFindings } from './database-findings.ts'
import { doorFindings } from './door-findings.ts'
import { type Finding, fault } from './finding.ts'
import {
  certificateFindings,
  mailFindings,
  paymentFindings,
  providerFindings,
  registryFindings,
  secretFindings,
  siteFindings,
} from './outside-findings.ts'
import { processFindings } from './process-findings.ts'
import { publicationFindings } from './publication-findings.ts'
import { queueFindings } from './queue-findings.ts'
import { namesFindings, resolverFindings } from './resolver-findings.ts'
import { serverFindings } from './server-findings.ts'

/** The checks that need the database, in the order of the report. */
const looks: readonly ((platform: Platform) => Promise<Finding[]>)[] = [
  secretFindings,
  processFindings,
  queueFindings,
  publicationFindings,
  doorFindings,
  siteFindings,
  certificateFindings,
  resolverFindings,
  namesFindings,
  mailFindings,
  registryFindings,
  paymentFindings,
  providerFindings,
]

/** Examines a whole installation from this machine, with the service's environment: what works, what does not, and what to do. Changes nothing. */
export async function examine(): Promise<Finding[]> {
  let platform: Platform | undefined
  let embedded: EmbeddedPostgres | undefined
  try {
    const configuration = readConfiguration(process.env)
    const database = await databaseOf(configuration, createLogger('doctor', 'warn'))
    embedded = database.embedded
    const { findings, isFit } = await databaseFindings(database.url)
    if (!isFit) return findings
    const server = await serverFindings(
      configuration.databaseDoctorUrl ?? database.url,
      configuration.databaseDiskMetric,
    )
    const opened = await openPlatform('admin')
    platform = opened
    const found = await Promise.all(looks.map((look) => lookSafely(look, opened)))
    return [...findings, ...server, ...found.flat()]
  } catch (error) {
    if (error instanceof ConfigurationFault)
      return error.message
        .split('\n')
        .map((line) => fault(line, 'Correct the variable. docs/reference/configuration.md describes it.'))
    if (error instanceof CannotStart)
      return [fault(error.message, 'See "It does not start" in docs/runbooks/what-to-do-when-it-breaks.md.')]
    throw error
  } finally {
    await platform?.close()
    if (embedded?.adopted === false) await embedded.stop()
  }
}

/** Reports a check that throws as a fault, so that the other checks still appear in the report. */
async function lookSafely(look: (platform: Platform) => Promise<Finding[]>, platform: Platform): Promise<Finding[]> {
  try {
    return await look(platform)
  } catch (error) {
    return [fault(`${look.name} failed: ${(error as Error).message}`, 'This is a bug in doctor. Report it.')]
  }
}

const marks = { ok: 'ok       ', warning: 'WARNING  ', fault: 'FAULT    ' }

/** One line for each finding, its advice below it, and a last line with the counts. */
export function reportText(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ level, says, advice }) =>
      `${marks[level]}${displayText(says)}\n${advice === undefined ? '' : `         → ${advice}\n`}`,
  )
  const count = (level: Finding['level']): number => findings.filter((each) => each.level === level).length
  return `${lines.join('')}\n${count('ok')} in order, ${count('warning')} with warnings, ${count('fault')} broken\n`
}

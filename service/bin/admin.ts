// The operator's commands for accounts, keys, zones, domains, orders and credit, and the doctor.
import { displayText } from '@zonewright/contract'
import { openPlatform } from '#compose/platform.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { hasCluster } from '#platform/postgres/postgres-home.ts'
import { dataDirOf } from '#platform/settings/data-dir.ts'
import { withStartedSettings } from '#platform/settings/started-settings.ts'
import { tellStartFailure } from '#platform/work/process-life.ts'
import { printed } from './parts/admin-command.ts'
import { commandIn, usage } from './parts/admin-commands.ts'

Object.assign(process.env, withStartedSettings(process.env))
const words = process.argv.slice(2)
if (words[0] === 'doctor') {
  refuseWithoutDatabase()
  const { examine, reportText } = await import('./parts/doctor/doctor.ts')
  const findings = await examine()
  process.stdout.write(words.includes('--json') ? printed(findings) : reportText(findings))
  process.exit(findings.some(({ level }) => level === 'fault') ? 1 : 0)
}
if (words[0] === 'reseal-secrets') {
  refuseWithoutDatabase()
  const { resealSecrets } = await import('./parts/reseal-command.ts')
  try {
    const platform = await openPlatform('admin')
    const { isDone, says } = await resealSecrets(platform, (line) => process.stderr.write(`${line}\n`))
    process.stdout.write(`${says}\n`)
    await platform.close()
    process.exit(isDone ? 0 : 1)
  } catch (error) {
    tellStartFailure(error)
  }
}
const found = await commandIn(words)
if (found === undefined) {
  process.stderr.write(await usage())
  process.exit(words.length === 0 || words[0] === 'help' ? 0 : 1)
}
refuseWithoutDatabase()
const { command, args } = found
try {
  const platform = await openPlatform('admin')
  const result = await platform.database
    .transact((tx) => command.run(tx, actorNamed('operator', process.env['USER'] ?? 'operator'), args, platform))
    .catch((error: unknown) => {
      if (error instanceof Refusal) return { refused: error.message }
      throw error
    })
  if ('refused' in result) process.stderr.write(`${displayText(result.refused)}\n`)
  else process.stdout.write(printed(result))
  await platform.close()
  process.exit('refused' in result ? 1 : 0)
} catch (error) {
  tellStartFailure(error)
}

/**
 * Commands need an existing database. Without the service's settings, a command would create an empty one and find everything in order.
 * Exits with 2 before anything is created.
 */
function refuseWithoutDatabase(): void {
  const dataDir = dataDirOf(process.env)
  if (process.env['DATABASE_URL'] !== undefined || hasCluster(dataDir)) return
  process.stderr.write(
    `DATABASE_URL is not set, and there is no database in ${dataDir}. Run this with the settings of the service (docs/runbooks/deploy.md, "The operator's commands").\n`,
  )
  process.exit(2)
}

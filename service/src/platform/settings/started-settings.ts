import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirOf } from './data-dir.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where `npm start` stores the settings of its processes while it runs: the operator's commands need the same ones. */
export function startedSettingsFile(dataDir: string): string {
  return join(dataDir, 'settings.json')
}

/**
 * The environment for an operator's command: the current settings, with those of the `npm start` of this data directory as defaults. If a database is
 * named, another installation is meant.
 */
export function withStartedSettings(env: Environment): Environment {
  const file = startedSettingsFile(dataDirOf(env))
  if (env['DATABASE_URL'] !== undefined || !existsSync(file)) return env
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Environment), ...env }
}

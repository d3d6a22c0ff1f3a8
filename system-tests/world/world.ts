import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cloneTemplate } from '@zonewright/service/test-database'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { type Installation, type InstallationOptions, startInstallation } from '../../tools/local/installation.ts'
import { Program } from '../../tools/local/process.ts'
import { Api } from './api.ts'
import { MailboxReader } from './mailbox.ts'
import { ReceiverLog } from './receiver-log.ts'

const adminProgram = fileURLToPath(new URL('../../service/bin/admin.ts', import.meta.url))

/** A whole Zonewright on free ports and an empty data directory: real processes, the same that `npm start` runs. */
export interface World extends Installation {
  readonly dataDir: string
  readonly api: Api
  readonly received: ReceiverLog
  readonly mailbox: MailboxReader
  /** Starts another process of the service beside those that there are, with more environment of its own. */
  alsoRun(part: 'api' | 'worker' | 'primary', env: Readonly<Record<string, string>>): Promise<Program>
  /** Runs an operator's command, and returns what it prints. */
  admin(...command: readonly string[]): Promise<string>
}

/** What a world may have beyond, or other than, what `npm start` gives it. */
export type WorldOptions = Partial<
  Pick<
    InstallationOptions,
    'databaseUrl' | 'postgresSettings' | 'serviceRole' | 'standbyPrimary' | 'registryPollS' | 'env'
  >
>

/** Starts one for a test file, or for a bench; `stop` also removes its data. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-world-'))
  const installation = await startInstallation({ dataDir, addresses: await freeAddresses(), ...options })
  const { facts } = installation
  const others: Program[] = []
  return {
    ...installation,
    dataDir,
    api: new Api(facts.base_url, [facts.api_key]),
    received: new ReceiverLog(facts.receiver_log_url),
    mailbox: new MailboxReader(facts.mailbox_url),
    alsoRun: async (part, env) => {
      const other = new Program({
        name: `second ${part}`,
        args: [fileURLToPath(new URL(`../../service/bin/${part}.ts`, import.meta.url))],
        env: { ...installation.env, ...env },
        logFile: join(dataDir, 'logs', `second-${part}.log`),
      })
      others.push(other)
      await other.start()
      return other
    },
    admin: async (...command) => {
      const { stdout } = await promisify(execFile)(process.execPath, [adminProgram, ...command], {
        env: { ...process.env, ...installation.env },
      })
      return stdout
    },
    stop: async () => {
      await Promise.all(others.map((other) => other.stop()))
      await installation.stop()
      await installation.postgres?.erase()
      // For whoever debugs a flow: docs/debugging.md.
      if (process.env['KEEP_WORLD']) process.stdout.write(`The logs and stores are in ${dataDir}.\n`)
      else await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * A world for the tests of one file, stopped when they are done.
 *
 * It has a database of the test run's PostgreSQL, where there is one; a PostgreSQL of its own when it has a role there, settings,
 * or tests that stop it (`ownPostgres`).
 */
export async function worldForTests(options: WorldOptions & { readonly ownPostgres?: true } = {}): Promise<World> {
  const { ownPostgres, ...others } = options
  const isOwn = ownPostgres || [others.serviceRole, others.postgresSettings].some((given) => given !== undefined)
  const isShared = !isOwn && process.env['ZONEWRIGHT_TEST_POSTGRES'] !== undefined
  const world = await startWorld({ ...(isShared && { databaseUrl: await cloneTemplate() }), ...others })
  after(() => world.stop())
  return world
}

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cloneTemplate } from '@zonewright/service/test-database'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { demoWebhook, makeDemo } from '../../tools/local/demo.ts'
import {
  giveSecret,
  type Installation,
  type InstallationOptions,
  startInstallation,
} from '../../tools/local/installation.ts'
import { nodeArgs, Program } from '../../tools/local/process.ts'
import { Api } from './api.ts'
import { MailboxReader } from './mailbox.ts'
import { ReceiverLog } from './receiver-log.ts'

const adminProgram = fileURLToPath(new URL('../../service/bin/admin.ts', import.meta.url))

/** A whole Zonewright on free ports and an empty data directory: real processes, the same as `npm start` runs. */
export interface World extends Installation {
  readonly dataDir: string
  readonly api: Api
  readonly received: ReceiverLog
  readonly mailbox: MailboxReader
  /** Starts another process of the service next to the existing ones, with additional environment variables. */
  alsoRun(part: 'api' | 'worker' | 'primary' | 'dns-door', env: Readonly<Record<string, string>>): Promise<Program>
  /** Runs an operator's command, and returns what it prints. */
  admin(...command: readonly string[]): Promise<string>
}

/** The options of a world that differ from `npm start`. */
export type WorldOptions = Partial<
  Pick<
    InstallationOptions,
    'databaseUrl' | 'postgresSettings' | 'serviceRole' | 'standbyPrimary' | 'registryPollS' | 'env'
  >
>

/** The same options for tests. */
type TestWorldOptions = WorldOptions & { readonly ownPostgres?: true }

/** Starts a world for a test file or a benchmark; `stop` also removes its data. */
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
        nodeArgs: part === 'worker' ? nodeArgs.worker : [],
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
      // For debugging a flow: docs/debugging.md.
      if (process.env['KEEP_WORLD']) process.stdout.write(`The logs and stores are in ${dataDir}.\n`)
      else await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The world that the test files of this process share, once the first of them has requested it. */
let shared: Promise<World> | undefined

/**
 * A world for the tests of one file, stopped when the tests of its process are done.
 *
 * Files that run in one process (`--test-isolation=none`) and give no options share a world, because its start takes as much processor time as the
 * tests of many files. The first file has the demo account, and each other file has its own similar account.
 *
 * It has a database in the test run's PostgreSQL, if there is one. It has its own PostgreSQL if it has a role there, settings, or tests that stop it
 * (`ownPostgres`).
 */
export async function worldForTests(options: TestWorldOptions = {}): Promise<World> {
  if (Object.keys(options).length > 0) return await stoppedAfterTests(options)
  if (shared !== undefined) return await withOwnAccount(await shared)
  shared = stoppedAfterTests(options)
  return await shared
}

async function stoppedAfterTests({ ownPostgres, ...others }: TestWorldOptions): Promise<World> {
  const isOwn = ownPostgres || [others.serviceRole, others.postgresSettings].some((given) => given !== undefined)
  const isShared = !isOwn && process.env['ZONEWRIGHT_TEST_POSTGRES'] !== undefined
  const world = await startWorld({ ...(isShared && { databaseUrl: await cloneTemplate() }), ...others })
  after(() => world.stop())
  return world
}

let accountsMade = 0

/**
 * The same world with another account, created like the demo account: it has two-factor authentication, a key for all zones, a zone and a webhook
 * endpoint.
 */
async function withOwnAccount(world: World): Promise<World> {
  const name = `own-${++accountsMade}`
  const dataDir = join(world.dataDir, name)
  await mkdir(dataDir, { mode: 0o700 })
  const email = `${name}@zonewright.test`
  const zone = `${name}.example.org`
  const { apiKey, zoneId, password, totpSecret } = await makeDemo(dataDir, world.env, { email, zone })
  const account = { email, password, totp_secret: totpSecret }
  const { base_url: baseUrl, receiver_log_url: logUrl } = world.facts
  const receiverUrl = new URL(name, world.facts.receiver_url).href
  const webhook = await demoWebhook(dataDir, { baseUrl, apiKey }, receiverUrl)
  await giveSecret(logUrl, name, webhook.secret)
  const own = { api_key: apiKey, zone: { id: zoneId, name: zone }, account, webhook, receiver_url: receiverUrl }
  const facts = { ...world.facts, ...own }
  return { ...world, facts, api: new Api(baseUrl, [apiKey]), received: new ReceiverLog(logUrl, name) }
}

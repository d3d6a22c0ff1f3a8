import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildDashboard } from '@zonewright/dashboard/build'
import { parseDatabaseUrl } from '@zonewright/service/database-url'
import { startedSettingsFile } from '@zonewright/service/started-settings'
import { keptTsigKey, tsigKeyFile } from '@zonewright/service/tsig-key'
import { type Addresses, nameserversIn, withWholeNames } from './addresses.ts'
import { demoEmail, demoWebhook, demoZone, makeDemo } from './demo.ts'
import { KeptPostgres } from './postgres.ts'
import { nodeArgs, Program, type ProgramSpec, readyTimeoutMs, type Watch } from './process.ts'
import { writeRegistries } from './registries.ts'
import { urlsOfRoles } from './service-role.ts'
import { type Environment, serviceSettings } from './service-settings.ts'

/** What tools and tests need to know of a running sandbox: `DATA_DIR/sandbox.json`. */
export interface SandboxFacts {
  readonly base_url: string
  readonly dashboard_url: string
  readonly reference_url: string
  readonly api_key: string
  readonly zone: { readonly id: string; readonly name: string }
  readonly account: { readonly email: string; readonly password: string; readonly totp_secret: string }
  readonly nameservers: readonly { readonly name: string; readonly address: string }[]
  /** The DNS door, and the TSIG key of the demo account. */
  readonly dns_door: {
    readonly address: string
    readonly tsig: { readonly name: string; readonly algorithm: string; readonly secret: string }
  }
  readonly webhook: { readonly id: string; readonly secret: string }
  readonly receiver_url: string
  readonly receiver_log_url: string
  readonly mailbox_url: string
  /** The card gateway. */
  readonly gateway_url: string
  /**
   * The sandbox's registry: EPP, its own DNS servers, a caching resolver below them, and the URL at which delegations are set. Certificates
   * and passwords of its registrars are in `epp_dir`.
   */
  readonly registry: {
    readonly epp: string
    readonly epp_dir: string
    readonly dns: string
    readonly resolver: string
    readonly url: string
    readonly tlds: readonly string[]
  }
  readonly ca_file: string
  /** Process ids, by program. */
  readonly pids: Readonly<Record<string, number | undefined>>
}

export interface InstallationOptions {
  readonly dataDir: string
  readonly addresses: Addresses
  /** A PostgreSQL other than the embedded one. */
  readonly databaseUrl?: string | undefined
  /** The service's processes run with only this role's rights; it is created for this. */
  readonly serviceRole?: string
  /** Settings of the embedded PostgreSQL in addition to its defaults. */
  readonly postgresSettings?: Readonly<Record<string, string>>
  /** Where a second primary will listen, which the nameservers use while the first is down. */
  readonly standbyPrimary?: string
  /** How often the sandbox's registry is polled for messages. */
  readonly registryPollS?: number
  /** Settings of the user, which take precedence over the sandbox's own. */
  readonly given?: Environment
  /** Additional environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>
  /** The service restarts whenever one of its files changes. */
  readonly watchService?: Watch
  /** Called with each step, one line each. */
  readonly onStep?: (step: string) => void
}

/** A whole Zonewright on this machine: PostgreSQL, the service, ns1, ns2 and the sandbox. */
export interface Installation {
  readonly facts: SandboxFacts
  readonly programs: Readonly<
    Record<'service' | 'ns1' | 'ns2' | 'receiver' | 'mailbox' | 'registry' | 'gateway', Program>
  >
  readonly postgres: KeptPostgres | undefined
  readonly databaseUrl: string
  /** The URL of a role that can read everything in it. */
  readonly ownerUrl: string
  /** The environment that the service runs in, for `admin.ts` next to it. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

const file = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname

/** Starts everything, in the order in which the parts need one another, and waits until all of it answers. */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const { dataDir, addresses } = options
  refuseUnusable(options.databaseUrl)
  const given = { ...options.given, ...options.env }
  const nameservers = withWholeNames(options.given?.['NAMESERVERS'] ?? `ns1=${addresses.ns1},ns2=${addresses.ns2}`)
  const step = options.onStep ?? (() => undefined)
  await makeFolder(join(dataDir, 'logs'))
  const stops: (() => Promise<void>)[] = []
  const factsFile = join(dataDir, 'sandbox.json')
  let writing = Promise.resolve()
  let isStopping = false
  const stop = async (): Promise<void> => {
    isStopping = true
    await writing
    for (const path of [factsFile, startedSettingsFile(dataDir)]) await rm(path, { force: true })
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    // In parallel with everything else, because a first build takes seconds. The code that awaits it gets a failure.
    const dashboard = given['DASHBOARD_DIR'] ?? buildDashboard(() => step('the build of the dashboard'))
    Promise.resolve(dashboard).catch(() => undefined)

    step('PostgreSQL, receiver, mailbox, registry and card gateway')
    const postgres = options.databaseUrl === undefined ? new KeptPostgres(dataDir, options.postgresSettings) : undefined
    if (postgres) stops.push(() => postgres.stop())
    const receiver = sandbox(options, 'receiver', { https: addresses.receiver, http: addresses.receiverLog })
    const mailbox = sandbox(options, 'mailbox', { smtp: addresses.smtp, http: addresses.mailbox })
    const registry = registryOf(options, nameservers)
    const gateway = await gatewayOf(options, given)
    const outside = [receiver, mailbox, registry, gateway].map((part) => start(part, stops))
    const starting = postgres?.start() ?? Promise.resolve(options.databaseUrl ?? '')
    await settle([...outside, starting])
    const ownerUrl = await starting
    const { serviceRole } = options
    const roles = serviceRole === undefined ? undefined : await urlsOfRoles(serviceRole, ownerUrl, dataDir)
    const databaseUrl = roles?.databaseUrl ?? ownerUrl
    const ownCaFile = join(dataDir, 'receiver', 'ca.pem')
    const eppDir = join(dataDir, 'registry', 'epp')

    step('service, nameservers and demo account')
    const parts = {
      dataDir,
      databaseUrl,
      addresses,
      nameservers: options.env?.['NAMESERVERS'] ?? nameservers,
      caFile: await trustedCertificates(dataDir, ownCaFile, given['WEBHOOK_CA_FILE']),
      dashboardDir: await dashboard,
      registriesFile: given['REGISTRIES'] ?? (await writeRegistries(dataDir, eppDir, options.registryPollS)),
    }
    const env = {
      ...options.env,
      ...serviceSettings(parts, given),
      ...(roles && { DATABASE_DOCTOR_URL: roles.doctorUrl }),
    }
    const service = program(options, 'service', ['service/bin/all.ts'], env, {
      watch: options.watchService,
      nodeArgs: nodeArgs.service,
    })
    const ns1 = await nameserver(options, 'ns1', addresses.ns1)
    const ns2 = await nameserver(options, 'ns2', addresses.ns2)
    const making = makeDemo(dataDir, env)
    await settle([...[service, ns1, ns2].map((part) => start(part, stops)), making])
    const demo = await making
    const baseUrl = `http://${addresses.http}`
    const receiverUrl = `https://${addresses.receiver}/hooks/demo`
    const webhook = await demoWebhook(dataDir, { baseUrl, apiKey: demo.apiKey }, receiverUrl)
    await giveSecret(`http://${addresses.receiverLog}/`, 'demo', webhook.secret)
    const programs = { service, ns1, ns2, receiver, mailbox, registry, gateway }
    const facts: SandboxFacts = {
      base_url: baseUrl,
      dashboard_url: `${given['PUBLIC_URL'] ?? baseUrl}/app/`,
      reference_url: `${baseUrl}/api/v1/reference`,
      api_key: demo.apiKey,
      zone: { id: demo.zoneId, name: demoZone },
      account: { email: demoEmail, password: demo.password, totp_secret: demo.totpSecret },
      nameservers: nameserversIn(nameservers).slice(0, 2),
      dns_door: { address: addresses.door, tsig: demo.tsig },
      webhook,
      receiver_url: receiverUrl,
      receiver_log_url: `http://${addresses.receiverLog}/`,
      mailbox_url: `http://${addresses.mailbox}/`,
      gateway_url: `http://${addresses.gateway}/`,
      registry: {
        epp: addresses.registryEpp,
        epp_dir: eppDir,
        dns: addresses.registryDns,
        resolver: addresses.resolver,
        url: `http://${addresses.registry}/`,
        tlds: ['test', 'com.test'],
      },
      ca_file: ownCaFile,
      // A restarted program has another one.
      get pids() {
        const ofPrograms = Object.entries(programs).map(([name, { pid }]) => [name, pid] as const)
        return { postgres: postgres?.pid, ...Object.fromEntries(ofPrograms) }
      },
    }
    await untilReady(`${baseUrl}/readyz`)
    // The embedded PostgreSQL is identified by its data directory, and may have another port next time.
    const settings = postgres === undefined ? env : { ...env, DATABASE_URL: undefined }
    await writePrivately(startedSettingsFile(dataDir), settings)
    const writeFacts = (): Promise<void> => {
      const written = writing.then(() => (isStopping ? undefined : writePrivately(factsFile, facts)))
      // A later restart writes the file again, even if the disk is full now.
      writing = written.catch(() => undefined)
      return written
    }
    for (const part of [postgres, ...Object.values(programs)])
      part?.onRestart(() => void writeFacts().catch(() => undefined))
    await writeFacts()
    return { facts, programs, postgres, databaseUrl, ownerUrl, env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Checked before anything is started. Otherwise, the service would report it in the middle of the others' output. */
function refuseUnusable(databaseUrl: string | undefined): void {
  try {
    if (databaseUrl !== undefined) parseDatabaseUrl(databaseUrl)
  } catch (error) {
    throw new Error(`DATABASE_URL: ${(error as Error).message}`)
  }
}

/** Programs may read the file at any time, so it is written and replaced atomically. */
async function writePrivately(path: string, content: unknown): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR: ${path} cannot be made: ${error.code}`)
  })
}

/** The file with the transfer key: the one that the service also uses, or the value of TSIG_KEY. */
async function tsigFile(dataDir: string): Promise<string> {
  const given = process.env['TSIG_KEY']
  if (given === undefined) {
    keptTsigKey(dataDir)
    return tsigKeyFile(dataDir)
  }
  const path = join(dataDir, 'tsig.given.key')
  await writeFile(path, `${given}\n`, { mode: 0o600 })
  return path
}

/** The file with the sandbox's authority, and with the certificates of a file that was given in addition. */
async function trustedCertificates(dataDir: string, own: string, given: string | undefined): Promise<string> {
  if (!given) return own
  const text = await readFile(given, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`WEBHOOK_CA_FILE: ${given} cannot be read: ${error.code}`)
  })
  const path = join(dataDir, 'webhook-ca.pem')
  await writeFile(path, `${text}\n${await readFile(own, 'utf8')}`, { mode: 0o600 })
  return path
}

function program(
  options: InstallationOptions,
  name: string,
  [script = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { watch, nodeArgs }: Pick<ProgramSpec, 'watch' | 'nodeArgs'> = {},
): Program {
  return new Program({
    name,
    args: [file(script), ...args],
    nodeArgs,
    env,
    watch,
    logFile: join(options.dataDir, 'logs', `${name}.log`),
  })
}

/** A program of the sandbox, with its own folder, that listens at these addresses. */
function sandbox(options: InstallationOptions, name: string, listen: Readonly<Record<string, string>>): Program {
  const addresses = Object.entries(listen).flatMap(([flag, address]) => [`--${flag}`, address])
  return program(options, name, [`sandbox/bin/${name}.ts`, '--data-dir', join(options.dataDir, name), ...addresses])
}

/** The registry that delegates the sandbox's domains, and knows the addresses of the nameservers. */
function registryOf(options: InstallationOptions, nameservers: string): Program {
  const { registryEpp, registryDns, resolver, registry } = options.addresses
  return program(options, 'registry', [
    'sandbox/bin/registry.ts',
    ...['--data-dir', join(options.dataDir, 'registry')],
    ...['--epp', registryEpp, '--dns', registryDns, '--resolver', resolver, '--http', registry],
    ...nameserversIn(nameservers).flatMap(({ name, address }) => ['--nameserver', `${name}=${address}`]),
  ])
}

/** The card gateway; it and the service share a key. */
async function gatewayOf(
  options: InstallationOptions,
  { PAYMENTS = 'sandbox', PAYSTACK_SECRET_KEY }: Environment,
): Promise<Program> {
  const { dataDir, addresses } = options
  const given = PAYMENTS === 'sandbox' ? PAYSTACK_SECRET_KEY : undefined
  const keyFile = join(dataDir, given === undefined ? 'gateway.key' : 'gateway.given.key')
  if (given !== undefined) await writeFile(keyFile, given, { mode: 0o600 })
  // Kept across restarts, because it signed what is still open at the gateway.
  await writeFile(keyFile, `sk_test_${randomBytes(20).toString('hex')}`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return program(options, 'gateway', [
    'sandbox/bin/gateway.ts',
    ...['--data-dir', join(dataDir, 'gateway'), '--http', addresses.gateway, '--secret-key-file', keyFile],
    ...['--webhook', `http://${addresses.http}/api/v1/gateway/paystack`],
  ])
}

async function nameserver(options: InstallationOptions, name: string, listen: string): Promise<Program> {
  const { primary } = options.addresses
  const from = [
    ...[primary, options.standbyPrimary ?? []].flat().flatMap((address) => ['--primary', address]),
    '--catalog',
    'catalog.zonewright.invalid',
    '--tsig',
    await tsigFile(options.dataDir),
  ]
  const args = [
    'nameserver/bin/nameserver.ts',
    '--listen',
    listen,
    ...from,
    '--store',
    join(options.dataDir, name),
    // All the sandbox's clients are on this machine, and would share one limit.
    '--rrl-allow',
    '127.0.0.0/8',
  ]
  return program(options, name, args, {}, { nodeArgs: nodeArgs.nameserver })
}

/** Waits for all of them, and only then reports the first failure, so that nothing is left behind half started. */
async function settle(starts: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(starts)
  await Promise.all(starts)
}

async function start(part: Program, stops: (() => Promise<void>)[]): Promise<void> {
  stops.push(() => part.stop())
  await part.start()
}

/** Makes the receiver verify requests to one of its names (`/hooks/<name>`) with the endpoint's secret. */
export async function giveSecret(receiverLogUrl: string, name: string, secret: string): Promise<void> {
  const answer = await fetch(`${receiverLogUrl}hooks/${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  })
  if (!answer.ok) throw new Error(`The receiver refused its secret: ${await answer.text()}`)
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs
  while (Date.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await delay(50)
  }
  throw new Error(`${url} was not ready within ${readyTimeoutMs / 1_000} s`)
}

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { routes } from '@zonewright/contract'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { openDatabase, Wake } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { readConfiguration } from '#platform/settings/configuration.ts'
import { sandboxRegistries } from '#platform/settings/registries-setting.ts'
import { composeApi } from './api.ts'
import { mountPages } from './mount-pages.ts'
import { outsideOf } from './outside.ts'
import { registriesOf } from './registries.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-compose-'))
after(() => rmSync(folder, { recursive: true }))
const dashboardDir = join(folder, 'dashboard')
const presetsDir = join(folder, 'presets')
mkdirSync(join(dashboardDir, 'assets'), { recursive: true })
mkdirSync(presetsDir)
writeFileSync(join(dashboardDir, 'index.html'), '<!doctype html>')
mkdirSync(join(dashboardDir, 'docs'))
for (const page of ['index', 'not-found', 'frame'])
  writeFileSync(join(dashboardDir, 'docs', `${page}.html`), '<!doctype html>')
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const pem = file('some.pem', '')
const registries = (content: object): { REGISTRIES: string } => ({
  REGISTRIES: file(`registries-${randomUUID()}.json`, JSON.stringify({ registries: content })),
})
const [sandbox] = sandboxRegistries.registries
const epp = {
  host: '127.0.0.1',
  ...{ ca_file: pem, cert_file: pem, key_file: pem },
  registrar_id: 'zonewright',
  password_file: file('password', 'secret-secret'),
}

/** It gets no queries, because composing a server opens no connection. */
const databaseUrl = 'postgres://127.0.0.1:9/none'
const base = {
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl,
  SECRET_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'silent',
}

/** Settings that add something to the API, remove something, or use other servers. Each with its possible values, the default first. */
const choices: readonly (readonly Readonly<Record<string, string>>[])[] = [
  [{}, { FREE_PARENTS: 'free.example,gratis.example' }],
  [{}, registries([]), registries([{ ...sandbox, epp }])],
  [{}, { RDAP_BOOTSTRAP: 'off' }],
  [{}, { RESOLVERS: '', VERIFICATION_RESOLVER: '127.0.0.1:53', WEBHOOK_RESOLVER: '127.0.0.1' }],
  [{}, { PRESETS_DIR: presetsDir, DOMAIN_CONNECT: 'example.net=Example', DOMAIN_CONNECT_DIR: presetsDir }],
  [
    {},
    {
      ...{ PAYMENTS: 'paystack', PAYSTACK_SECRET_KEY: 'sk_live_none' },
      ...{ TRUSTED_PROXIES: '10.0.0.0/8', PUBLIC_URL: 'https://zonewright.example', WEBHOOK_CA_FILE: pem },
    },
  ],
]

/** The settings for what an installation serves in addition to the API. */
const pageChoices: typeof choices = [
  [{}, { DASHBOARD_DIR: dashboardDir }],
  [{}, { METRICS_LISTEN: '127.0.0.1:9100' }],
]

/** Every combination of one value of each setting. */
function* combinations(of: typeof choices): Generator<Readonly<Record<string, string>>> {
  const [first, ...rest] = of
  if (first === undefined) yield {}
  else for (const chosen of first) for (const others of combinations(rest)) yield { ...chosen, ...others }
}

const log = createLogger('test', 'silent')
const wake = new Wake(databaseUrl, log)
const database = openDatabase(databaseUrl, { application: 'zonewright test', wake })
after(async () => {
  await database.close()
})

/** Composes the API with these settings, as a process does, and returns the ids of its routes. */
async function routesWith(settings: Readonly<Record<string, string>>, { pages = false } = {}): Promise<string[]> {
  const configuration = readConfiguration({ ...base, ...settings })
  const metrics = createMetrics()
  const connected = registriesOf(configuration, log)
  const outside = outsideOf(configuration, connected)
  const secrets = new SecretBox(configuration.secretKey)
  const server = composeApi({ configuration, database, wake, log, metrics, secrets }, outside)
  if (pages) mountPages(server, { configuration, metrics, registries: connected }, () => undefined)
  const ids = server.routes.map(({ id }) => id).sort()
  await server.fastify.close()
  await outside.close()
  await connected.close()
  return ids
}

const all = routes.map(({ id }) => id).sort()

test('the API serves every route of the contract with every combination of settings', async () => {
  const combined = [...combinations(choices)]
  assert.equal(combined.length, 96)
  for (const settings of combined) assert.deepEqual(await routesWith(settings), all, JSON.stringify(settings))
})

test('pages and metrics next to the routes hide none of them', async () => {
  for (const settings of combinations(pageChoices))
    assert.deepEqual(await routesWith(settings, { pages: true }), all, JSON.stringify(settings))
})

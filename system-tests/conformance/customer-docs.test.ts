// Every command that customers are shown, on a running installation: each page is one shell, from its top to its end, in each of the shells
// that they have.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allZonesPermissions, errorStatuses, permissions, routes } from '@zonewright/contract'
import { Api, eventually, worldForTests } from '../world/index.ts'
import { commandsOf, inPlace, runInShell, type Shell, shellNames } from './peers/customer-docs.ts'
import { inRepository } from './peers/deploy-files.ts'

const world = await worldForTests()
const { facts } = world
const [ns1] = facts.nameservers
const [, port = ''] = (ns1?.address ?? '').split(':')

/** The zone of whoever reads the pages with this shell: each has one of its own. */
const zoneOf = (shell: Shell): string => `${shell}-example.test`
for (const shell of shellNames) {
  await world.admin('zone', 'add', facts.account.email, zoneOf(shell))
  await eventually('it is live', async () => (await world.api.call('GET', `/zones/${zoneOf(shell)}`)).status === 200)
}

/** The reader's things, on each page that speaks of them. */
function pagesFor(shell: Shell): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const usual = { 'https://dns.example.net': facts.base_url, svc_live_YOUR_KEY: facts.api_key }
  const withZone = { ...usual, 'example.com': zoneOf(shell) }
  return {
    'quick-start.md': { ...withZone, '@ns1.example.net': `@127.0.0.1 -p ${port}` },
    'api-by-task.md': {
      ...withZone,
      'https://hooks.example.net/in': facts.receiver_url.replace('/demo', `/${shell}`),
      'order-4711': `order-of-${shell}`,
    },
    'keys.md': usual,
    'errors.md': withZone,
    'limits.md': usual,
  }
}

for (const shell of shellNames)
  for (const [page, places] of Object.entries(pagesFor(shell)))
    test(`the commands of docs/customers/${page} do in ${shell} what the page says`, async () => {
      const commands = inPlace(commandsOf(`docs/customers/${page}`), places)
      assert.ok(commands.length > 0)
      const folder = mkdtempSync(join(tmpdir(), 'zonewright-docs-'))
      after(() => rmSync(folder, { recursive: true }))
      const printed = await runInShell(commands, { shell, cwd: folder })
      for (const [i, { text, prints }] of commands.entries())
        if (prints !== undefined) assert.equal(printed[i], prints, text)
    })

const keysPage = readFileSync(inRepository('docs/customers/keys.md'), 'utf8')

/** The rows of its table of permissions: what each allows, and for which keys it is. */
const permissionRows = [...keysPage.matchAll(/^\| `(\w+:\w+)` \| (.*?) \|(.*?)\|$/gm)].map(
  ([, permission = '', allows = '', keys = '']) => ({ permission, allows, keys: keys.trim() }),
)

test('the pages have every error code with its status, and every permission', () => {
  const errors = readFileSync(inRepository('docs/customers/errors.md'), 'utf8')
  const codes = [...errors.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code = '', status]) => [code, Number(status)])
  assert.deepEqual(Object.fromEntries(codes), errorStatuses)
  assert.deepEqual(
    permissionRows.map(({ permission }) => permission),
    permissions,
  )
})

test('keys.md gives each thing to those permissions that the routes of it ask for, and none to the dashboard’s own', () => {
  assert.deepEqual(
    permissionRows.filter(({ keys }) => keys === 'for all zones').map(({ permission }) => permission),
    [...allZonesPermissions],
  )
  for (const noun of ['contact', 'quote', 'order', 'promo code', 'webhook', 'free subdomain']) {
    const asked = routes
      .filter(({ path }) => path.startsWith(`/${noun.replace(' ', '-')}s`))
      .flatMap(({ who }) => (typeof who === 'string' ? [] : who))
    const given = permissionRows.filter(({ allows }) => allows.includes(noun)).map(({ permission }) => permission)
    assert.deepEqual(new Set(given), new Set(asked), noun)
  }
  const dashboardOnly = /\b(share|manager|unlock|transfer code|pay link|checkout|delete zones)\b/
  assert.deepEqual(
    permissionRows.filter(({ allows }) => dashboardOnly.test(allows)),
    [],
  )
})

test('a zone that a key does not cover is refused as keys.md and errors.md say', async () => {
  const [, status, code] =
    /Another zone of the account is refused with (\d+) `(\w+)`, whose message names it/.exec(keysPage) ?? []
  const made = await world.admin(
    'key',
    'create',
    facts.account.email,
    'one zone',
    '--zones',
    facts.zone.name,
    '--permissions',
    'records:read',
  )
  const api = new Api(facts.base_url, [JSON.parse(made).secret])
  const answer = await api.call<{ error: { code: string; message: string } }>('GET', `/zones/${zoneOf('sh')}`)
  assert.deepEqual([answer.status, answer.body.error.code], [Number(status), code])
  assert.ok(answer.body.error.message.includes(zoneOf('sh')))
  const nobodys = await api.call<{ error: { code: string } }>('GET', '/zones/nobodys.example')
  assert.equal(nobodys.body.error.code, 'not_found')
})

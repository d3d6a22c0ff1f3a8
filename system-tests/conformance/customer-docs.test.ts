// Every command that customers are shown, on a running installation: each page is one shell, from its top to its end, in each of the shells
// that they have.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allZonesPermissions, errorStatuses, permissions, routes } from '@zonewright/contract'
import {
  Api,
  buyerContact,
  cards,
  eventually,
  payAt,
  RegistryOffice,
  Shopper,
  startDnsProvider,
  worldForTests,
} from '../world/index.ts'
import { commandsOf, inPlace, runInShell, type Shell, shellNames } from './peers/customer-docs.ts'
import { inRepository } from './peers/deploy-files.ts'

const freeParent = 'free.example'
const world = await worldForTests({ env: { FREE_PARENTS: freeParent } })
const { facts } = world
const [ns1] = facts.nameservers
const [, port = ''] = (ns1?.address ?? '').split(':')

/** The objects that the pages mention. Each shell has its own, because a name can be bought or claimed only once. */
const own = (shell: Shell, name: string): string => `in-${shell}-${name}`
const zoneOf = (shell: Shell): string => own(shell, 'example.test')

await world.admin('credit', 'grant', facts.account.email, '20000000')
await world.admin('account', 'create', 'host@zonewright.test')
await world.admin('zone', 'add', 'host@zonewright.test', freeParent)
const shopper = await Shopper.at(world)
const office = await RegistryOffice.of(world)
/** The current DNS provider of the domain that moves here. */
const provider = await startDnsProvider(shellNames.map((shell) => own(shell, 'bakery.test')))
after(() => provider.close())
await office.setHost('ns.provider.test', provider.address)
for (const shell of shellNames) {
  await office.delegate(own(shell, 'bakery.test'), ['ns.provider.test'])
  await office.delegate(
    zoneOf(shell),
    facts.nameservers.map(({ name }) => name),
  )
  await world.admin('zone', 'add', facts.account.email, zoneOf(shell))
  await office.registerElsewhere(own(shell, 'moving.test'), 'CODE-OF-THE-DOMAIN')
}

for (const shell of shellNames)
  await eventually('its delegation is seen', async () => {
    const { state } = await read<{ state: string }>(`/zones/${zoneOf(shell)}/delegation`)
    return state === 'live'
  })

/** What others do while a customer follows a page, keyed by the name of the block before which they do it. */
function othersAround(shell: Shell): Readonly<Record<string, () => Promise<void>>> {
  return {
    'proof-is-there': async () => {
      const { txt } = (await read<{ verification: Proof }>(`/zones/${own(shell, 'bakery.test')}`)).verification
      provider.set(txt.name, [txt.value])
    },
    'someone-pays': async () => {
      const [order] = (await read<{ data: { id: string }[] }>(`/orders?name=${own(shell, 'gift.test')}`)).data
      const link = await shopper.dashboard.call('POST', `/api/v1/orders/${order?.id}/pay-link`)
      const token = String(link.body['url']).split('/').at(-1)
      const open = await world.api.call('POST', `/pay/${token}/checkout`, { email: 'client@example.org' })
      await payAt(String(open.body['url']), cards.success)
    },
    'other-registrar-approves': async () => {
      const name = own(shell, 'moving.test')
      assert.equal((await office.rival.domains.approveTransfer(name, `approve-${shell}`)).kind, 'done')
    },
  }
}

interface Proof {
  readonly txt: { readonly name: string; readonly value: string }
}

async function read<T>(path: string): Promise<T> {
  return (await world.api.call<T>('GET', path)).body
}

/** Names in the guide other than the zone's. */
const elsewhere = ['bakery.test', `alice.${freeParent}`, 'shop.test', 'gift.test', 'unwanted.test', 'moving.test']

/** The replacements for the reader's values, by page. */
function pagesFor(shell: Shell): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const usual = { 'https://dns.example.net': facts.base_url, svc_live_YOUR_KEY: facts.api_key }
  const withZone = { ...usual, 'example.com': zoneOf(shell) }
  return {
    'quick-start.md': { ...withZone, '@ns1.example.net': `@127.0.0.1 -p ${port}` },
    'api-by-task.md': {
      ...withZone,
      'https://hooks.example.net/in': new URL(shell, facts.receiver_url).href,
      'order-4711': own(shell, 'order-4711'),
      ...Object.fromEntries(elsewhere.map((name) => [name, own(shell, name)])),
    },
    'keys.md': usual,
    'errors.md': withZone,
    'importing.md': withZone,
    'limits.md': usual,
  }
}

for (const shell of shellNames)
  for (const [page, places] of Object.entries(pagesFor(shell)))
    test(`the commands of docs/customers/${page} print in ${shell} what the page says`, async () => {
      const commands = inPlace(commandsOf(`docs/customers/${page}`), places)
      assert.ok(commands.length > 0)
      const folder = mkdtempSync(join(tmpdir(), 'zonewright-docs-'))
      after(() => rmSync(folder, { recursive: true }))
      const printed = await runInShell(commands, { shell, cwd: folder, before: othersAround(shell) })
      const did = commands.map(({ text }, i) => ({ text, prints: printed[i] }))
      const said = commands.map(({ text, prints }, i) => ({ text, prints: prints ?? printed[i] }))
      assert.deepEqual(did, said)
    })

const keysPage = readFileSync(inRepository('docs/customers/keys.md'), 'utf8')

/** The rows of its table of permissions: what each allows, and which keys can have it. */
const permissionRows = [...keysPage.matchAll(/^\| `(\w+:\w+)` \| (.*?) \|(.*?)\|$/gm)].map(
  ([, permission = '', allows = '', keys = '']) => ({ permission, allows, keys: keys.trim() }),
)

test('the pages list every error code with its status, and every permission', () => {
  const errors = readFileSync(inRepository('docs/customers/errors.md'), 'utf8')
  const codes = [...errors.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code = '', status]) => [code, Number(status)])
  assert.deepEqual(Object.fromEntries(codes), errorStatuses)
  assert.deepEqual(
    permissionRows.map(({ permission }) => permission),
    permissions,
  )
})

test('keys.md lists each resource under the permissions that its routes require, and no dashboard-only actions', () => {
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
  const dashboardOnly = /\b(share|manager|unlock|transfer code|pay(?:ment)? link|checkout|delete zones)\b/
  assert.deepEqual(
    permissionRows.filter(({ allows }) => dashboardOnly.test(allows)),
    [],
  )
})

test('a zone that a key does not cover is refused as keys.md and errors.md say', async () => {
  const [, status, code] =
    /A request for such a zone or domain fails with (\d+) `(\w+)`/.exec(keysPage.replaceAll('\n', ' ')) ?? []
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
  assert.match(
    answer.body.error.message,
    new RegExp(`lacks the zone ${zoneOf('sh')}\\. Create a key .*includes ${zoneOf('sh')}`),
  )
  const nobodys = await api.call<{ error: { code: string } }>('GET', '/zones/nobodys.example')
  assert.equal(nobodys.body.error.code, 'not_found')
})

test('the refusals that a task of the guide lists are those that the service returns', async () => {
  const zone = zoneOf('sh')
  const taken = own('sh', 'shop.test')
  const tooDear = { quote: { years: 10 }, order: { use_credit: true, expected_due_kobo: 0 } }
  await world.api.put(zone, 'alias', 'CNAME', [`${zone}.`])
  await office.registerElsewhere('locked-there.test')
  const lock = { statuses: { add: ['clientTransferProhibited' as const], remove: [] } }
  assert.equal((await office.rival.domains.update('locked-there.test', lock, 'lock')).kind, 'done')
  const refusals: [string, string, string, unknown][] = [
    ['Add a domain that uses another DNS provider', 'POST', '/zones', { name: zone }],
    ['Add a domain that uses another DNS provider', 'POST', '/zones', { name: 'com' }],
    ['Add a zone below one of yours', 'POST', '/zones', { name: `alias.${zone}` }],
    ['Claim a free subdomain', 'POST', '/free-subdomains', { name: own('sh', `alice.${freeParent}`) }],
    ['Set, read and remove records', 'PUT', `/zones/${zone}/rrsets/x/A`, { records: ['nowhere'] }],
    ['Set, read and remove records', 'PUT', `/zones/${zone}/rrsets/@/NS`, { records: ['ns1.example.net.'] }],
    ['Import and export a zone', 'POST', `/zones/${zone}/import`, 'www A nowhere\n'],
    [
      'Set up a service with a preset',
      'POST',
      `/zones/${zone}/presets/google.com.site-verification`,
      { parameters: {} },
    ],
    ['View the history and restore a version', 'POST', `/zones/${zone}/versions/999999/restore`, undefined],
    ['Check propagation', 'GET', `/zones/${zone}/propagation?name=www`, undefined],
    ['Create a contact', 'POST', '/contacts', { ...buyerContact, phone: '0803 123' }],
    ['Buy a domain', 'POST', '/orders', await shopper.wish('premium-dear.test', tooDear)],
    ['Buy a domain', 'POST', '/orders', await shopper.wish(taken)],
    ['Renew a domain', 'POST', '/quotes', { kind: 'renew', name: 'nobodys.test' }],
    ['Renew a domain', 'POST', '/quotes', { kind: 'renew', name: taken, years: 10 }],
    ['Transfer a domain here', 'POST', '/quotes', { kind: 'transfer', name: taken }],
    ['Transfer a domain here', 'POST', '/quotes', { kind: 'transfer', name: 'nobodys.test' }],
    ['Transfer a domain here', 'POST', '/quotes', { kind: 'transfer', name: 'locked-there.test' }],
    [
      'Set the nameservers of a domain',
      'PUT',
      `/domains/${taken}/nameservers`,
      { nameservers: [`a.${taken}`, `b.${taken}`] },
    ],
    ['Lock a domain and turn on auto-renew', 'DELETE', `/domains/${taken}/auto-renew`, undefined],
    ['Receive webhooks', 'POST', '/webhooks', { url: 'https://127.0.0.1/in' }],
  ]
  const guide = readFileSync(inRepository('docs/customers/api-by-task.md'), 'utf8')
  for (const [task, method, path, body] of refusals) {
    const { status, body: refused } = await world.api.call<{ error?: { code: string } }>(method, path, body)
    const part = guide.split(/^## /m).find((each) => each.startsWith(`${task}\n`)) ?? ''
    const isSaid = part.replaceAll('\n', ' ').includes(`${status} \`${refused.error?.code}\``)
    assert.ok(isSaid, `${task}: ${method} ${path}: ${status} ${JSON.stringify(refused)}`)
  }
})

test('each heading that the pages link to exists', () => {
  const pageOf = (name: string): string => readFileSync(inRepository(`docs/customers/${name}`), 'utf8')
  for (const page of [...Object.keys(pagesFor('sh')), 'acme.md'])
    for (const [link, to = '', heading] of pageOf(page).matchAll(/\]\(([\w.-]+\.md)?#([\w-]+)\)/g)) {
      const headings = [...pageOf(to === '' ? page : to).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
        text
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      )
      assert.ok(heading !== undefined && headings.includes(heading), `${page}: ${link}`)
    }
})

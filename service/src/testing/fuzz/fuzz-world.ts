import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { startGateway, startIdentityProvider } from '@zonewright/sandbox'
import { createPaystack } from '#adapters/paystack/index.ts'
import { mountDashboard } from '#http/dashboard-routes.ts'
import { mountReference } from '#http/reference/mount-reference.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { mountHealth, mountMetrics } from '#platform/http/operator-routes.ts'
import { sql } from '#platform/postgres/index.ts'
import { register, startSandboxRegistry } from '../sandbox-registry.ts'
import {
  startTestApi,
  type TestAnswer,
  type TestApi,
  testClient,
  testFreeParent,
  testOrigin,
  testReceiver,
} from '../test-api.ts'
import { testContact } from '../test-contact.ts'
import { testEvent } from '../test-event.ts'
import { TestOwner } from '../test-owner.ts'
import { TestPerson } from '../test-person.ts'
import type { Facts } from './from-schema.ts'
import { validRequests } from './valid-requests.ts'
import type { Callers, Target } from './wire-case.ts'

/** An API with every route, and accounts that have objects of every kind. */
export interface FuzzWorld {
  readonly api: TestApi
  /** Sends a valid request. Not for targets with `isNowhere`. */
  sendValid(target: Target): Promise<TestAnswer>
  /** The objects for the requests of a route. They are created again if earlier requests have deleted them. */
  prepare(target: Target): Promise<{ facts: Facts; callers: Callers }>
}

export async function startFuzzWorld(): Promise<FuzzWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-fuzz-'))
  after(() => rmSync(folder, { recursive: true }))
  const secretKey = 'sk_test_fuzz'
  const gateway = await startGateway({ dataDir: folder, httpListen: '127.0.0.1:0', secretKey })
  const payments = createPaystack({ url: `http://${gateway.address}`, secretKey, timeoutMs: 5_000 })
  const registry = await startSandboxRegistry()
  const identity = await startIdentityProvider({ httpListen: '127.0.0.1:0', ...testClient })
  const api = await startTestApi({ payments, registry, identity })
  after(async () => {
    await payments.close()
    await gateway.close()
    await identity.close()
  })
  const { server, database } = api
  mountReference(server, mountDashboard(server, dashboardIn(folder)))
  mountHealth(server.fastify, { ready: () => ({ reads: 'ok', writes: 'ok', since: new Date() }) })
  mountMetrics(server.fastify, { metrics: createMetrics() })
  // The API waits for the outcome of a ping. Nothing listens at its address.
  await api.deliver()
  const operator = await api.account('operator@example.net')
  await api.zone(operator, testFreeParent)

  let made = 0
  let current: { person: TestPerson; key: string; made: Awaited<ReturnType<typeof make>> } | undefined

  const make = async () => {
    const n = ++made
    // All people of this world come from one address.
    await sql`delete from account_tries`.execute(database.db)
    const owner = await TestOwner.make(api, registry, `fuzz${n}@example.net`)
    const { person, accountId } = owner
    const guest = await TestPerson.signedIn(api, `guest${n}@example.net`)
    const key = await api.key(accountId)
    const names = [1, 2, 3, 4].map((z) => `zone${z}.fuzz${n}.example.com`)
    const zones = await Promise.all(names.map((name) => api.zone(accountId, name)))
    const records = Array.from({ length: 40 }, (_, r) => `h${r} 60 A 192.0.2.${r}\nt${r} TXT "a"`).join('\n')
    for (const name of names)
      await api.call('POST', `/zones/${name}/import`, { key, body: records, headers: { 'content-type': 'text/dns' } })
    await api.call('POST', '/zones', { key, body: { name: `pending${n}.example.org` } })
    const domains = []
    for (let d = 0; d < 2; d++) {
      const name = `fuzz${n}-${d}.test`
      await register(owner.registry, name)
      await owner.take(name)
      domains.push(name)
    }
    return { n, owner, person, guest, accountId, key, names, zones, domains }
  }

  /** Objects that requests use up, created for each route. */
  const consumables = async ({ n, accountId, key, person }: Awaited<ReturnType<typeof make>>) => {
    const post = async (path: string, body: unknown): Promise<{ id: string }> => {
      const made = await api.call('POST', path, { key, body })
      assert.ok(made.status < 300, `${path}: ${JSON.stringify(made.body)}`)
      return made.body
    }
    await sql`delete from webhook_endpoints where account_id = ${accountId}`.execute(database.db)
    const webhooks = [await post('/webhooks', { url: testReceiver }), await post('/webhooks', { url: testReceiver })]
    const contacts = [await post('/contacts', testContact), await post('/contacts', testContact)]
    const name = `order${n}-${++made}.test`
    const quotes = [
      await post('/quotes', { kind: 'register', name }),
      await post('/quotes', { kind: 'register', name: `x${name}` }),
    ]
    const order = (
      await person.call('POST', '/orders', { body: { quote_id: quotes[0]?.id, contact_id: contacts[0]?.id } })
    ).body
    const link = order.id === undefined ? undefined : (await person.call('POST', `/orders/${order.id}/pay-link`)).body
    const offered = await api.zone(operator, `offered${++made}.example.net`)
    await sql`insert into zone_invitations (id, zone_id, email, inviter, expires_at)
      values (${`inv_${made}`}, ${offered.id}, ${person.email}, 'operator@example.net', app_now() + interval '1 day')`.execute(
      database.db,
    )
    const { rows: deliveries } = await sql<{ id: string }>`
      insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status)
      values ((app_now() at time zone 'utc')::date, new_id('dlv', app_now()), ${webhooks[0]?.id}, new_id('evt', app_now()), 'ping', 1, 'failed')
      returning id`.execute(database.db)
    const event = await testEvent(database.db, accountId)
    const spareKeys = await sql<{ id: string }>`
      select id from api_keys where account_id = ${accountId} order by created_at desc limit 1`.execute(database.db)
    return {
      webhooks: idsOf(webhooks),
      contacts: idsOf(contacts),
      quotes: idsOf(quotes),
      orders: idsOf([order]),
      tokens: [
        String(link?.url ?? '')
          .split('/')
          .at(-1) ?? '',
      ].filter((token) => token !== ''),
      invitations: [`inv_${made}`],
      deliveries: idsOf(deliveries),
      events: [event],
      keys: idsOf(spareKeys.rows),
    }
  }

  const isWhole = async (): Promise<boolean> => {
    if (current === undefined) return false
    const { person, key, made: there } = current
    const answers = await Promise.all([
      person.call('GET', '/account'),
      api.call('GET', `/zones/${there.names[0]}/rrsets`, { key }),
      api.call('GET', `/zones/${there.names[1]}`, { key }),
      api.call('GET', `/domains/${there.domains[0]}`, { key }),
    ])
    return answers.every(({ status }) => status === 200)
  }

  const whole = async (mayBeUsed = true) => {
    if (!mayBeUsed || !(await isWhole())) {
      const fresh = await make()
      current = { person: fresh.person, key: fresh.key, made: fresh }
    }
    return current?.made ?? assert.fail('nothing is there')
  }

  const validOf = validRequests({ api, registry, secretKey })

  return {
    api,
    sendValid: async (target) => {
      // Requests of earlier routes have guessed codes and requested emails.
      await sql`delete from account_tries`.execute(database.db)
      await sql`delete from account_guesses`.execute(database.db)
      const { as, path, body, headers } = await validOf(target, whole)
      const options = { prefix: '', ...(body !== undefined && { body }), ...(headers && { headers }) }
      return as.call(target.method, path, options)
    },
    prepare: async ({ isAuth, isForPeople, path }) => {
      const there = await whole(!isAuth)
      const used = await consumables(there)
      const { person, guest } = there
      const cookieOf = ({ cookies }: TestPerson): string =>
        [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const session = ['Cookie', cookieOf(person)] as const
      // Created for each route, because a key's row stores its requests of the last minute and has room only for as many as keys may make.
      const [key, acmeKey] = [
        await api.key(there.accountId),
        await api.key(there.accountId, { permissions: ['acme:dns01'] }),
      ]
      const keyed = ['Authorization', `Bearer ${key}`] as const
      // A sign-out must not end a session that is needed later.
      const working = isAuth
        ? ([session, ['Cookie', cookieOf(guest)]] as const)
        : isForPeople
          ? ([session, session, session, session, keyed] as const)
          : ([session, session, keyed, keyed, keyed, ['Authorization', `Bearer ${acmeKey}`]] as const)
      return {
        callers: { working, origin: testOrigin },
        facts: {
          ...factsOf(path, used),
          zone: [...there.names, ...there.zones.map(({ id }) => id), `pending${there.n}.example.org`],
          name: [
            ...(path.includes('/domains')
              ? [...there.domains, ...there.domains, ...there.domains, ...there.domains]
              : []),
            '@',
            'www',
            'h1',
            '*',
            `h2.${there.names[0]}`,
            '_acme-challenge',
            ...there.domains,
            `new${there.n}.test`,
          ],
          names: [`a${there.n}.test`, 'b.test', 'c.com.test'],
          type: ['A', 'TXT', 'MX', 'CNAME', 'AAAA', 'SRV', 'CAA', 'NS'],
          records: ['192.0.2.1', '"text"', '10 mail.example.com.', '0 issue "ca.example.net"', 'www.example.com.'],
          value: ['192.0.2.9', '"text"'],
          add: ['192.0.2.7', '"more"'],
          remove: ['192.0.2.1', '"text"'],
          account: [there.accountId, guest.email],
          email: [person.email, guest.email, 'new@example.net'],
          version: [1, 2, '1'],
          url: [testReceiver],
          code: [...person.backupCodes.slice(0, 3), person.code()],
          password: [person.password, 'a new phrase that nobody guesses'],
          newPassword: ['another phrase that nobody guesses'],
          currentPassword: [person.password],
          nameservers: ['ns1.zonewright.test', 'ns2.zonewright.test', 'ns1.example.net'],
          tlds: ['test'],
          tld: ['test', 'com.test'],
          country: ['NG', 'DE'],
          phone: [testContact.phone],
          events: ['zone.records_changed', 'zone.*', '*'],
          parent: [testFreeParent],
          dry_run: ['true', 'false'],
          asset: ['a-1.js', 'b-2.css'],
        },
      }
    },
  }
}

function idsOf(rows: readonly { readonly id?: string }[]): string[] {
  return rows.flatMap(({ id }) => id ?? [])
}

function factsOf(path: string, used: Readonly<Record<string, readonly string[]>>): Facts {
  const {
    webhooks = [],
    contacts = [],
    quotes = [],
    orders = [],
    tokens = [],
    invitations = [],
    deliveries = [],
    events = [],
    keys = [],
  } = used
  // An id is of the kind that the path names before it, and occasionally of another kind.
  const ofPath = [
    ['/webhooks/events', events],
    ['/webhooks', webhooks],
    ['/contacts', contacts],
    ['/orders', orders],
    ['invitations', invitations],
    ['/api-keys', keys],
    ['/presets', ['google.com.workspace', 'vercel.com.website']],
  ] as const
  const right = ofPath.find(([part]) => path.includes(part))?.[1] ?? []
  return {
    id: [...right, ...right, ...right, ...ofPath.flatMap(([, ids]) => ids.slice(0, 1))],
    delivery: deliveries,
    token: tokens,
    quote_id: quotes,
    contact_id: contacts,
  }
}

/** A minimal build of the dashboard. */
function dashboardIn(folder: string): string {
  const assets = join(folder, 'dashboard', 'assets')
  mkdirSync(assets, { recursive: true })
  writeFileSync(
    join(folder, 'dashboard', 'index.html'),
    '<!doctype html><html lang="en"><style nonce=""></style></html>',
  )
  for (const name of ['a-1.js', 'b-2.css']) {
    const content = Buffer.from(`/* ${name} */`)
    writeFileSync(join(assets, name), content)
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content))
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content))
  }
  return join(folder, 'dashboard')
}

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { grantCredit, kobo } from '#modules/billing/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { tsigOf } from '../dns-door/test-door.ts'
import { TestProvider } from '../domain-connect/test-provider.ts'
import { type PersonRequest, peopleRequests } from '../people-requests.ts'
import { mailedToken } from '../queued-mails.ts'
import { RegistryStaff } from '../registry-staff.ts'
import { type SandboxRegistry, trid } from '../sandbox-registry.ts'
import { type TestApi, testFreeParent, testReceiver } from '../test-api.ts'
import { testContact } from '../test-contact.ts'
import { testEvent } from '../test-event.ts'
import type { TestOwner } from '../test-owner.ts'
import type { TestPerson } from '../test-person.ts'
import type { Target } from './wire-case.ts'

/** A valid request. By default it is the owner's, to the target's path in the owner's first zone, without a body. */
export interface ValidRequest {
  readonly as?: TestPerson
  /** With its parameters and query, without the prefix. */
  readonly path?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The account that requests are about. */
export interface Owner {
  readonly owner: TestOwner
  readonly person: TestPerson
  readonly guest: TestPerson
  readonly accountId: string
  readonly key: string
  readonly names: readonly string[]
  readonly domains: readonly string[]
}

interface Parts {
  readonly api: TestApi
  readonly registry: SandboxRegistry
  /** The secret key of the card gateway. */
  readonly secretKey: string
}

/** A valid request for each target, by its id. Targets without an entry use the default one. */
export function validRequests({ api, registry, secretKey }: Parts) {
  const { database } = api
  const { db } = database
  const staff = new RegistryStaff(registry)
  const people = peopleRequests(api)
  const operator = actorNamed('operator', 'test')
  const records = ['192.0.2.77']
  const client = { email: 'client@example.net' }
  let fresh = 0
  const next = (prefix: string, parent: string): string => `${prefix}${++fresh}.${parent}`

  const post = async ({ person }: Owner, path: string, body: unknown): Promise<{ id: string; url: string }> => {
    const answer = await person.call('POST', path, { prefix: path.startsWith('/webhooks') ? '' : '/api/v1', body })
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const code = ({ person }: Owner): string => person.backupCodes.pop() ?? assert.fail('no backup code is left')
  const contact = async (of: Owner): Promise<string> => (await post(of, '/contacts', testContact)).id
  const quote = async (of: Owner): Promise<string> =>
    (await post(of, '/quotes', { kind: 'register', name: next('valid', 'test') })).id
  const wishOf = async (of: Owner) => ({ quote_id: await quote(of), contact_id: await contact(of) })
  const order = async (of: Owner): Promise<string> => (await post(of, '/orders', await wishOf(of))).id
  const linked = async (of: Owner): Promise<{ id: string; token: string }> => {
    const id = await order(of)
    const { url } = await post(of, `/orders/${id}/pay-link`, {})
    return { id, token: url.split('/').at(-1) ?? '' }
  }
  const endpoint = async (of: Owner): Promise<string> => {
    await sql`delete from webhook_endpoints where account_id = ${of.accountId}`.execute(db)
    return (await post(of, '/webhooks', { url: testReceiver })).id
  }
  /** A delivery that has failed, as `{id}/deliveries/{delivery}`. */
  const delivery = async (of: Owner): Promise<string> => {
    const id = await endpoint(of)
    const ping = await of.person.call('POST', `/webhooks/${id}/test`, { prefix: '' })
    return `${id}/deliveries/${ping.body.delivery}`
  }
  const strangersZone = async (): Promise<string> =>
    (await api.zone(await api.account(next('stranger', 'example.net').replace('.', '@')), next('their', 'example.org')))
      .id
  const invitation = async ({ person }: Owner): Promise<string> => {
    const id = `inv_valid${++fresh}`
    await sql`insert into zone_invitations (id, zone_id, email, inviter, expires_at)
      values (${id}, ${await strangersZone()}, ${person.email}, 'stranger@example.net', app_now() + interval '1 day')`.execute(
      db,
    )
    return id
  }
  const domainInvitation = async ({ person }: Owner): Promise<string> => {
    const id = `inv_valid${++fresh}`
    const stranger = await api.account(`domains${fresh}@example.net`)
    await sql`
      with theirs as (
        insert into domains (name, tld, account_id, state, order_id, auto_renew)
        values (${`their${fresh}.test`}, 'test', ${stranger}, 'held', 'ord_1', false) returning id
      ) insert into domain_invitations (id, domain_id, email, inviter, expires_at)
        select ${id}, id, ${person.email}, 'stranger@example.net', app_now() + interval '1 day' from theirs`.execute(db)
    return id
  }
  /** The id of a new key. */
  const newKey = async ({ accountId, person }: Owner): Promise<string> => {
    await api.key(accountId, { name: `valid ${++fresh}` })
    const [made] = (await person.call('GET', '/api-keys?limit=1')).body.data
    return made.id
  }
  /** An address that an owner has just added for notifications. */
  const reader = async ({ person }: Owner): Promise<string> => {
    const email = `reader${++fresh}@example.net`
    await sql`delete from account_addresses`.execute(db)
    await sql`delete from account_tries`.execute(db)
    const body = { email, topics: ['zones'] }
    assert.equal((await person.call('POST', '/account/notifications/addresses', { body })).status, 201)
    return email
  }
  const domain = ({ owner }: Owner): Promise<string> => owner.domain({ prefix: `valid${++fresh}-` })
  /** The id of a saved card. The gateway does not know it. */
  const card = async ({ accountId }: Owner): Promise<string> => {
    const id = `card_valid${++fresh}`
    await sql`delete from cards where account_id = ${accountId}`.execute(db)
    await sql`
      insert into cards (id, account_id, signature, code, email, brand, last4, expiry_month, expiry_year)
      values (${id}, ${accountId}, ${id}, ${Buffer.from(id)}, 'ada@example.net', 'visa', '0001', 1, 2099)`.execute(db)
    return id
  }
  /** A domain that auto-renew renews. */
  const renewing = async (of: Owner): Promise<string> => {
    const name = await domain(of)
    await sql`update domains set auto_renew = true where name = ${name}`.execute(db)
    return name
  }
  /** A domain whose owner allows a saved card for auto-renew. */
  const withCard = async (of: Owner): Promise<string> => {
    const path = `/domains/${await renewing(of)}/renewal-card`
    assert.equal((await of.person.call('PUT', path, { body: { card_id: await card(of) } })).status, 200)
    return path
  }
  /** A domain whose transfer another registrar has requested. */
  const leaving = async (of: Owner): Promise<string> => {
    const name = await domain(of)
    const authInfo = staff.domain(name)?.authInfo ?? ''
    const asked = await staff.rival.domains.requestTransfer({ name, authInfo }, trid())
    assert.equal(asked.kind, 'pending')
    await of.owner.workNow()
    return name
  }
  /** Makes the guest a manager. Returns the id of the guest's account. */
  const manage = async (table: 'zone' | 'domain', name: string, { guest }: Owner): Promise<string> => {
    const { rows } = await sql<{ id: string }>`
      insert into ${sql.table(`${table}_managers`)} (${sql.ref(`${table}_id`)}, account_id)
      select t.id, a.id from ${sql.table(`${table}s`)} t, accounts a where t.name = ${name} and a.email = ${guest.email}
      returning account_id as id`.execute(db)
    return rows[0]?.id ?? assert.fail(`${name} has no manager`)
  }
  const accountRequest = async (route: string): Promise<ValidRequest> => {
    const { person, body, path } = (await people.account[route]?.()) ?? assert.fail(route)
    return { as: person, body, ...(path !== undefined && { path }) }
  }
  const connectLink = ({ names }: Owner): string =>
    new TestProvider('service.example', 'open').link(`domain=${names[0]}&host=connect&IP=192.0.2.1&RANDOMTEXT=x`)
  const zone = ({ names }: Owner): string => `/zones/${names[0]}`
  const firstDomain = ({ domains }: Owner): string => `/domains/${domains[0]}`

  const table: Readonly<Record<string, (of: Owner) => ValidRequest | Promise<ValidRequest>>> = {
    createZone: () => ({ body: { name: next('valid', 'example.org') } }),
    deleteZone: async ({ accountId }) => {
      const { name } = await api.zone(accountId, next('delete', 'example.org'))
      return { path: `/zones/${name}`, body: { name } }
    },
    restoreZone: async ({ accountId, person }) => {
      const { id, name } = await api.zone(accountId, next('restore', 'example.org'))
      assert.equal((await person.call('DELETE', `/zones/${name}`, { body: { name } })).status, 204)
      return { path: `/deleted-zones/${id}/restore` }
    },
    inviteManager: () => ({ body: { email: `invited${++fresh}@example.net` } }),
    removeManager: async (of) => {
      const account = await manage('zone', of.names[0] ?? '', of)
      return { path: `${zone(of)}/managers/${account}` }
    },
    acceptInvitation: async (of) => ({ path: `/invitations/${await invitation(of)}/accept` }),
    declineInvitation: async (of) => ({ path: `/invitations/${await invitation(of)}/decline` }),
    zoneAvailability: () => ({ path: '/zone-availability?name=example.net' }),
    checkZones: () => ({ path: '/zone-availability', body: { names: ['example.net', 'example.org'] } }),
    labelZones: () => ({ path: '/zones', body: { zones: ['00000000-0000-4000-8000-000000000000'], add: ['shop'] } }),
    freeSubdomainAvailability: () => ({
      path: `/free-subdomains/availability?name=${next('valid', testFreeParent)}`,
    }),
    claimSubdomain: async ({ accountId }) => {
      await sql`delete from free_subdomains where account_id = ${accountId}`.execute(db)
      return { body: { name: next('valid', testFreeParent) } }
    },
    getRrset: async (of) => {
      await of.person.call('PUT', `${zone(of)}/rrsets/valid/A`, { body: { records } })
      return { path: `${zone(of)}/rrsets/valid/A` }
    },
    putRrset: (of) => ({ path: `${zone(of)}/rrsets/put${++fresh}/A`, body: { records } }),
    createRrset: () => ({ body: { name: `create${++fresh}`, type: 'A', records } }),
    patchRrset: (of) => ({ path: `${zone(of)}/rrsets/patch${++fresh}/A`, body: { add: records } }),
    deleteRrset: (of) => ({ path: `${zone(of)}/rrsets/none/A` }),
    changeRrsets: () => ({ body: { changes: [{ name: `bulk${++fresh}`, type: 'A', records }] } }),
    replaceRrsets: (of) => ({
      path: `/zones/${of.names[3]}/rrsets`,
      body: { rrsets: [{ name: `all${++fresh}`, type: 'A', records }] },
    }),
    importZone: () => ({ body: `import${++fresh} 60 A 192.0.2.1\n`, headers: { 'content-type': 'text/dns' } }),
    getVersion: (of) => ({ path: `${zone(of)}/versions/1` }),
    diffVersion: (of) => ({ path: `${zone(of)}/versions/1/diff` }),
    restoreVersion: (of) => ({ path: `${zone(of)}/versions/1/restore` }),
    getPreset: () => ({ path: '/presets/google.com.workspace' }),
    startScan: async (of) => {
      await sql`delete from zone_scans`.execute(db)
      return { path: `${zone(of)}/scan` }
    },
    getScan: async (of) => {
      await sql`
        insert into zone_scans (zone_id, account_id, created_at, state, finished_at)
        select id, account_id, app_now(), 'done', app_now() from zones where name = ${of.names[0]} and state = 'live'`.execute(
        db,
      )
      return { path: `${zone(of)}/scan` }
    },
    setSecondaries: () => ({ body: { secondaries: [] } }),
    getSecondaryConfig: async (of) => {
      await sql`
        insert into zone_secondaries (zone_id, address, port, key_id, position, active_until, due_at)
        select id, '127.0.0.1', 9, 'key_1', 0, app_now(), app_now() from zones where name = ${of.names[0]} and state = 'live'
        on conflict do nothing`.execute(db)
      return { path: `${zone(of)}/secondaries/config?for=bind` }
    },
    readConnectRequest: (of) => ({ path: '/domain-connect/requests', body: { request: connectLink(of) } }),
    applyConnectRequest: async (of) => {
      const request = connectLink(of)
      const { body } = await of.person.call('POST', '/domain-connect/requests', { body: { request } })
      return { path: `${zone(of)}/domain-connect`, body: { request, token: body.token } }
    },
    applyPreset: (of) => ({ path: `${zone(of)}/presets/google.com.workspace`, body: {} }),
    planChanges: (of) => ({
      body: { zones: [{ zone: of.names[0], zone_file: 'plan 60 A 192.0.2.1\n', mode: 'replace' }] },
    }),
    applyPlan: (of) => ({
      body: {
        zones: [{ zone: of.names[0], changes: [{ name: `plan${++fresh}`, type: 'A', records }], if_match: 1 }],
      },
    }),
    search: () => ({ path: '/search?q=www' }),
    checkDomains: () => ({ body: { names: [next('valid', 'test')] } }),
    createContact: () => ({ body: testContact }),
    getContact: async (of) => ({ path: `/contacts/${await contact(of)}` }),
    changeContact: async (of) => ({ path: `/contacts/${await contact(of)}`, body: { city: 'Ibadan' } }),
    deleteContact: async (of) => ({ path: `/contacts/${await contact(of)}` }),
    getDomain: (of) => ({ path: firstDomain(of) }),
    setNameservers: async (of) => ({
      path: `/domains/${await domain(of)}/nameservers`,
      body: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
    }),
    removeCard: async (of) => ({ path: `/cards/${await card(of)}` }),
    getRenewalCard: async (of) => ({ path: await withCard(of) }),
    allowRenewalCard: async (of) => ({
      path: `/domains/${await renewing(of)}/renewal-card`,
      body: { card_id: await card(of) },
    }),
    withdrawRenewalCard: async (of) => ({ path: await withCard(of) }),
    lockDomain: async (of) => ({ path: `/domains/${await domain(of)}/lock` }),
    unlockDomain: async (of) => ({ path: `/domains/${await domain(of)}/unlock`, body: { code: code(of) } }),
    revealTransferCode: async (of) => ({
      path: `/domains/${await domain(of)}/transfer-code`,
      body: { code: code(of) },
    }),
    setContacts: async (of) => ({
      path: `/domains/${await domain(of)}/contacts`,
      body: { contact_id: await contact(of) },
    }),
    approveTransferOut: async (of) => ({ path: `/domains/${await leaving(of)}/transfer-out/approve` }),
    rejectTransferOut: async (of) => ({ path: `/domains/${await leaving(of)}/transfer-out/reject` }),
    turnAutoRenewOn: (of) => ({ path: `${firstDomain(of)}/auto-renew` }),
    turnAutoRenewOff: (of) => ({ path: `${firstDomain(of)}/auto-renew` }),
    listDomainManagers: (of) => ({ path: `${firstDomain(of)}/managers` }),
    inviteDomainManager: (of) => ({
      path: `${firstDomain(of)}/managers`,
      body: { email: `invited${++fresh}@example.net` },
    }),
    removeDomainManager: async (of) => {
      const account = await manage('domain', of.domains[0] ?? '', of)
      return { path: `${firstDomain(of)}/managers/${account}` }
    },
    acceptDomainInvitation: async (of) => ({ path: `/domain-invitations/${await domainInvitation(of)}/accept` }),
    declineDomainInvitation: async (of) => ({ path: `/domain-invitations/${await domainInvitation(of)}/decline` }),
    createQuote: () => ({ body: { kind: 'register', name: next('quoted', 'test') } }),
    createOrder: async (of) => ({ body: await wishOf(of) }),
    getOrder: async (of) => ({ path: `/orders/${await order(of)}` }),
    cancelOrder: async (of) => ({ path: `/orders/${await order(of)}/cancel` }),
    startCheckout: async (of) => ({ path: `/orders/${await order(of)}/checkout` }),
    checkPayment: async (of) => ({ path: `/orders/${await order(of)}/checkout/check` }),
    createPayLink: async (of) => ({ path: `/orders/${await order(of)}/pay-link` }),
    getPayLink: async (of) => ({ path: `/orders/${(await linked(of)).id}/pay-link` }),
    deletePayLink: async (of) => ({ path: `/orders/${(await linked(of)).id}/pay-link` }),
    getReceipt: async (of) => {
      const grant = { accountId: of.accountId, amountKobo: kobo(100_000_000), note: '' }
      await database.transact((tx) => grantCredit(tx, operator, grant))
      const { id } = await post(of, '/orders', { ...(await wishOf(of)), use_credit: true })
      return { path: `/orders/${id}/receipt` }
    },
    getPayPage: async (of) => ({ path: `/pay/${(await linked(of)).token}` }),
    payByLink: async (of) => ({ path: `/pay/${(await linked(of)).token}/checkout`, body: client }),
    checkLinkedPayment: async (of) => ({ path: `/pay/${(await linked(of)).token}/checkout/check` }),
    gatewayNews: () => {
      const body = JSON.stringify({ event: 'charge.success', data: { reference: 'none' } })
      const signature = createHmac('sha512', secretKey).update(body).digest('hex')
      return { body, headers: { 'content-type': 'application/json', 'x-paystack-signature': signature } }
    },
    checkPromoCode: () => ({ body: { code: 'NONE', kind: 'register', name: next('valid', 'test') } }),
    createWebhook: async (of) => {
      await endpoint(of)
      return { body: { url: testReceiver } }
    },
    getWebhook: async (of) => ({ path: `/webhooks/${await endpoint(of)}` }),
    deleteWebhook: async (of) => ({ path: `/webhooks/${await endpoint(of)}` }),
    changeWebhook: async (of) => ({ path: `/webhooks/${await endpoint(of)}`, body: { description: 'Changed' } }),
    testWebhook: async (of) => ({ path: `/webhooks/${await endpoint(of)}/test` }),
    rotateWebhookSecret: async (of) => ({ path: `/webhooks/${await endpoint(of)}/rotate-secret` }),
    listDeliveries: async (of) => ({ path: `/webhooks/${await endpoint(of)}/deliveries` }),
    countAttempts: async (of) => ({ path: `/webhooks/${await endpoint(of)}/statistics` }),
    getDelivery: async (of) => ({ path: `/webhooks/${await delivery(of)}` }),
    redeliver: async (of) => ({ path: `/webhooks/${await delivery(of)}/redeliver` }),
    recoverWebhook: async (of) => ({
      path: `/webhooks/${await endpoint(of)}/recover`,
      body: { since: new Date().toISOString() },
    }),
    getEvent: async ({ accountId }) => ({ path: `/webhooks/events/${await testEvent(db, accountId)}` }),
    currentKey: ({ key }) => ({ headers: { authorization: `Bearer ${key}` } }),
    createKey: () => accountRequest('POST /api-keys'),
    narrowKey: async (of) => ({ path: `/api-keys/${await newKey(of)}`, body: { permissions: ['records:read'] } }),
    acmeDnsAccount: async (of) => ({
      path: `/api-keys/${await newKey(of)}/acme-dns`,
      body: { zone: of.names[0], label: 'www' },
    }),
    createTsig: async (of) => ({ path: `/api-keys/${await newKey(of)}/tsig`, body: { code: code(of) } }),
    deleteTsig: async (of) => {
      const id = await newKey(of)
      await tsigOf(api, of.accountId, id)
      return { path: `/api-keys/${id}/tsig` }
    },
    getTsigConfig: async (of) => ({ path: `/api-keys/${await newKey(of)}/tsig/config?for=certbot` }),
    revokeKey: async (of) => ({ path: `/api-keys/${await newKey(of)}` }),
    changeAccount: () => accountRequest('PATCH /account'),
    askForEmail: () => accountRequest('POST /account/email'),
    confirmEmail: () => accountRequest('POST /account/email/confirm'),
    beginPasskey: () => accountRequest('POST /account/passkeys/options'),
    createPasskey: () => accountRequest('POST /account/passkeys'),
    renamePasskey: () => accountRequest('PATCH /account/passkeys'),
    removePasskey: () => accountRequest('DELETE /account/passkeys'),
    beginProviderLink: () => accountRequest('POST /account/providers/link'),
    unlinkProvider: () => accountRequest('DELETE /account/providers'),
    muteNotifications: () => ({ body: { muted: ['webhooks'] } }),
    addNotificationAddress: () => accountRequest('POST /account/notifications/addresses'),
    changeNotificationAddress: async (of) => ({
      path: `/account/notifications/addresses/${await reader(of)}`,
      body: { topics: ['security'] },
    }),
    removeNotificationAddress: async (of) => ({ path: `/account/notifications/addresses/${await reader(of)}` }),
    readNotificationLink: async (of) => ({ body: { token: await mailedToken(api, await reader(of)) } }),
    answerNotificationLink: async (of) => ({
      body: { token: await mailedToken(api, await reader(of)), answer: 'confirm' },
    }),
    deleteAccount: () => accountRequest('DELETE /account'),
    'GET /app/*': () => ({ path: '/app/zones' }),
    'GET /app/assets/{asset}': () => ({ path: '/app/assets/a-1.js' }),
  }

  return async (target: Target, of: () => Promise<Owner>) => {
    const authPath = target.path.replace('/api/auth', '').replaceAll(/\{(\w+)\}/g, ':$1')
    if (target.isAuth) {
      const request: PersonRequest =
        (await people.auth[authPath]?.()) ?? assert.fail(`${target.id} has no valid request`)
      return { as: request.person, path: `/api/auth${request.path ?? authPath}`, body: request.body }
    }
    const owner = await of()
    const prefix = target.path.startsWith('/api/v1') ? '/api/v1' : ''
    const request = (await table[target.id.replace(' (no prefix)', '')]?.(owner)) ?? {}
    const path = request.path ?? target.path.slice(prefix.length).replace('{zone}', owner.names[0] ?? '')
    assert.doesNotMatch(path, /[{*]/, `${target.id} has no valid request`)
    return { as: owner.person, ...request, path: prefix + path }
  }
}

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { allZonesPermissions, type Permission, permissions, type Route } from '@zonewright/contract'
import type { ZoneRow } from '#modules/zones/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { tsigOf } from '#testing/dns-door/test-door.ts'
import { TestProvider } from '#testing/domain-connect/test-provider.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { onOneConnection, within } from '#testing/one-connection.ts'
import { register, startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi, type TestAnswer, testFreeParent, testReceiver } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { testEvent } from '#testing/test-event.ts'
import { TestPerson } from '#testing/test-person.ts'
import { newSecret } from './key-secret.ts'

// Checks the whole route table with every kind of caller (design: accounts-and-keys, "Must hold"). The table repeats manually what the design allows:
// a route that is missing here fails the first test.

interface Row {
  /** Any one of these permissions opens the route; `any`: every key does; `session`: no key does; `public`: no identity is required. */
  readonly opens: readonly Permission[] | 'any' | 'session' | 'public'
  readonly status: number
  /** A call that succeeds in the given zone with the given key. Routes without a zone ignore the zone. */
  call(zone: string, key?: string): Promise<{ path: string; body?: unknown; headers?: Record<string, string> }>
  /** The result for a signed-in person, if it differs. */
  readonly signedIn?: string
  /** The result for a signed-in person in a zone that the person only manages, if it differs again. */
  readonly asManager?: string
}

const registry = await startSandboxRegistry()
const api = await startTestApi({ registry })
await api.deliver() // so that a ping has an outcome: nothing listens at its endpoint
const { database, server } = api
const person = await TestPerson.secured(api, 'owner@example.net')
const owner: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const everything = await api.key(owner, { name: 'everything' })

let fresh = 0
const challenge = (): string => `_acme-challenge.n${++fresh}`
const records = ['"token"']

async function endpoint(): Promise<string> {
  await sql`delete from webhook_endpoints`.execute(database.db)
  return (await api.call('POST', '/webhooks', { key: await api.key(owner), body: { url: testReceiver } })).body.id
}

/** A proof that is refused. Deletes earlier failures, so that it does not have to wait. */
async function wrongProof(): Promise<{ password: string; code: string }> {
  await sql`delete from account_guesses`.execute(database.db)
  return { password: 'wrong', code: '000000' }
}

/** A delivery of an endpoint of the owner, as `{id}/deliveries/{delivery}`. */
async function delivery(): Promise<string> {
  const id = await endpoint()
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status)
    values ((app_now() at time zone 'utc')::date, new_id('dlv', app_now()), ${id}, new_id('evt', app_now()), 'ping', 1, 'failed')
    returning id`.execute(database.db)
  return `${id}/deliveries/${rows[0]?.id}`
}

/** A new key of the owner, by its id. */
async function keyNamed(prefix: string): Promise<string> {
  const name = `${prefix} ${++fresh}`
  await api.key(owner, { name })
  const { rows } = await sql<{ id: string }>`select id from api_keys where name = ${name}`.execute(database.db)
  return rows[0]?.id ?? ''
}

/** An invitation of the owner to a zone of the stranger. */
async function invitation(): Promise<string> {
  const zone = await api.zone(stranger, `offered${++fresh}.example.org`)
  await sql`insert into zone_invitations (id, zone_id, email, inviter, expires_at)
    values (${`inv_${fresh}`}, ${zone.id}, 'owner@example.net', 'stranger@example.net', app_now() + interval '1 day')`.execute(
    database.db,
  )
  return `inv_${fresh}`
}

/** The body that places the owner's order. */
async function orderBody(): Promise<object> {
  const name = `ordered${++fresh}.test`
  const { id } = (await api.call('POST', '/quotes', { key: await api.key(owner), body: { kind: 'register', name } }))
    .body
  return { quote_id: id, contact_id: await contact() }
}

/** An unpaid order of the owner, placed in the dashboard. */
async function order(): Promise<string> {
  return (await person.call('POST', '/orders', { body: await orderBody() })).body.id
}

/** The same, placed with a key if the key can buy. */
async function orderBy(key: string | undefined): Promise<string> {
  if (key === undefined) return order()
  const placed = await api.call('POST', '/orders', { key, body: await orderBody() })
  return placed.status === 201 ? placed.body.id : order()
}

/** A contact of the owner. */
async function contact(): Promise<string> {
  await sql`delete from contacts`.execute(database.db)
  return (await api.call('POST', '/contacts', { key: await api.key(owner), body: testContact })).body.id
}

/** An invitation of the owner to a domain of the stranger. */
async function domainInvitation(): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    insert into domains (name, tld, account_id, state, order_id, auto_renew)
    values (${`offered${++fresh}.test`}, 'test', ${stranger}, 'held', 'ord_1', false) returning id`.execute(database.db)
  await sql`insert into domain_invitations (id, domain_id, email, inviter, expires_at)
    values (${`inv_${fresh}`}, ${rows[0]?.id}, 'owner@example.net', 'stranger@example.net', app_now() + interval '1 day')`.execute(
    database.db,
  )
  return `inv_${fresh}`
}

/** A domain of the owner, which the calls of the table are about. */
const ownDomain = 'own-domain.test'
/** A domain of the stranger that the owner manages. */
const sharedDomain = 'shared-domain.test'
const foreignDomain = 'foreign-domain.test'

const connectLink = (zone: string): string =>
  new TestProvider('service.example', 'open').link(`domain=${zone}&host=connect&IP=192.0.2.1&RANDOMTEXT=x`)

const reads: readonly Permission[] = ['records:read', 'acme:dns01']
const writes: readonly Permission[] = ['records:write', 'acme:dns01']

const table: Readonly<Record<string, Row>> = {
  listZones: { opens: ['records:read'], status: 200, call: async () => ({ path: '/zones' }) },
  search: { opens: ['records:read'], status: 200, call: async () => ({ path: '/search?q=own' }) },
  createZone: {
    opens: ['zones:manage'],
    status: 201,
    call: async () => ({ path: '/zones', body: { name: `new${++fresh}.example.net` } }),
  },
  zoneAvailability: {
    opens: ['zones:manage'],
    status: 200,
    call: async () => ({ path: '/zone-availability?name=example.net' }),
  },
  checkZones: {
    opens: ['zones:manage'],
    status: 200,
    call: async () => ({ path: '/zone-availability', body: { names: ['example.net'] } }),
  },
  labelZones: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/zones', body: { zones: ['00000000-0000-4000-8000-000000000000'], add: ['shop'] } }),
  },
  getZone: { opens: ['records:read'], status: 200, call: async (zone) => ({ path: `/zones/${zone}` }) },
  describeZone: {
    opens: 'session',
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}`, body: { comment: 'Ours.' } }),
  },
  deleteZone: {
    opens: 'session',
    status: 204,
    // Does not use the right name, because the other rows still need the zone.
    call: async (zone) => ({ path: `/zones/${zone}`, body: { name: 'other.example.net' } }),
    signedIn: '422 validation_failed',
  },
  listDeletedZones: { opens: 'session', status: 200, call: async () => ({ path: '/deleted-zones' }) },
  restoreZone: {
    opens: 'session',
    status: 200,
    call: async () => {
      const zone = await api.zone(owner, `gone${++fresh}.example.net`)
      await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(database.db)
      return { path: `/deleted-zones/${zone.id}/restore` }
    },
  },
  verifyZone: { opens: ['zones:manage'], status: 200, call: async (zone) => ({ path: `/zones/${zone}/verify` }) },
  listManagers: { opens: 'session', status: 200, call: async (zone) => ({ path: `/zones/${zone}/managers` }) },
  inviteManager: {
    opens: 'session',
    status: 201,
    call: async (zone) => ({ path: `/zones/${zone}/managers`, body: { email: 'guest@example.net' } }),
    asManager: '403 forbidden',
  },
  removeManager: {
    opens: 'session',
    status: 204,
    call: async (zone) => ({ path: `/zones/${zone}/managers/nobody@example.net` }),
    signedIn: '404 not_found',
    asManager: '403 forbidden',
  },
  listInvitations: { opens: 'session', status: 200, call: async () => ({ path: '/invitations' }) },
  acceptInvitation: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/invitations/${await invitation()}/accept` }),
  },
  declineInvitation: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/invitations/${await invitation()}/decline` }),
  },
  freeSubdomainAvailability: {
    opens: ['zones:manage'],
    status: 200,
    call: async () => ({ path: `/free-subdomains/availability?name=n${fresh}.${testFreeParent}` }),
  },
  claimSubdomain: {
    opens: ['zones:manage'],
    status: 201,
    call: async () => {
      await sql`delete from free_subdomains`.execute(database.db)
      return { path: '/free-subdomains', body: { name: `name${++fresh}.${testFreeParent}` } }
    },
  },
  listRrsets: { opens: reads, status: 200, call: async (zone) => ({ path: `/zones/${zone}/rrsets` }) },
  getRrset: {
    opens: reads,
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/rrsets/_acme-challenge/TXT` }),
  },
  putRrset: {
    opens: writes,
    status: 201,
    call: async (zone) => ({ path: `/zones/${zone}/rrsets/${challenge()}/TXT`, body: { records } }),
  },
  createRrset: {
    opens: writes,
    status: 201,
    call: async (zone) => ({ path: `/zones/${zone}/rrsets`, body: { name: challenge(), type: 'TXT', records } }),
  },
  patchRrset: {
    opens: writes,
    status: 201,
    call: async (zone) => ({ path: `/zones/${zone}/rrsets/${challenge()}/TXT`, body: { add: records } }),
  },
  deleteRrset: {
    opens: writes,
    status: 204,
    call: async (zone) => ({ path: `/zones/${zone}/rrsets/${challenge()}/TXT` }),
  },
  changeRrsets: {
    opens: writes,
    status: 200,
    call: async (zone) => ({
      path: `/zones/${zone}/rrsets`,
      body: { changes: [{ name: challenge(), type: 'TXT', records }] },
    }),
  },
  replaceRrsets: {
    opens: ['records:write'],
    status: 200,
    // The other rows still need the existing records.
    call: async (zone) => ({
      path: `/zones/${zone}/rrsets?dry_run=true`,
      body: { rrsets: [{ name: challenge(), type: 'TXT', records }] },
    }),
  },
  listVersions: { opens: ['records:read'], status: 200, call: async (zone) => ({ path: `/zones/${zone}/versions` }) },
  getVersion: { opens: ['records:read'], status: 200, call: async (zone) => ({ path: `/zones/${zone}/versions/1` }) },
  diffVersion: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/versions/1/diff` }),
  },
  restoreVersion: {
    opens: ['records:write'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/versions/1/restore?dry_run=true`, body: {} }),
  },
  importZone: {
    opens: ['records:write'],
    status: 200,
    call: async (zone) => ({
      path: `/zones/${zone}/import`,
      body: `n${++fresh} 60 A 192.0.2.1`,
      headers: { 'content-type': 'text/dns' },
    }),
  },
  exportZone: { opens: ['records:read'], status: 200, call: async (zone) => ({ path: `/zones/${zone}/export` }) },
  listPresets: { opens: ['records:read', 'records:write'], status: 200, call: async () => ({ path: '/presets' }) },
  getPreset: {
    opens: ['records:read', 'records:write'],
    status: 200,
    call: async () => ({ path: '/presets/netlify.com.website' }),
  },
  applyPreset: {
    opens: ['records:write'],
    status: 200,
    call: async (zone) => ({
      path: `/zones/${zone}/presets/google.com.site-verification`,
      body: { parameters: { code: `code${++fresh}` } },
    }),
  },
  planChanges: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({
      path: '/plans',
      body: { zones: [{ zone, changes: [{ name: `n${++fresh}`, type: 'A', records: ['192.0.2.1'] }] }] },
    }),
  },
  applyPlan: {
    opens: ['records:write'],
    status: 200,
    call: async (zone) => ({ path: '/plans/apply', body: { zones: [{ zone, changes: [], if_match: 0 }] } }),
  },
  readConnectRequest: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/domain-connect/requests', body: { request: connectLink('example.com') } }),
  },
  applyConnectRequest: {
    opens: 'session',
    status: 200,
    call: async (zone) => {
      const { name = zone } = (await person.call('GET', `/zones/${zone}`)).body
      const request = connectLink(name)
      const { token } = (await person.call('POST', '/domain-connect/requests', { body: { request } })).body
      return { path: `/zones/${zone}/domain-connect`, body: { request, token } }
    },
  },
  getSecondaries: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/secondaries` }),
  },
  setSecondaries: {
    opens: 'session',
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/secondaries`, body: { secondaries: [] } }),
    asManager: '403 forbidden',
  },
  getSecondaryConfig: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => {
      await sql`
        insert into zone_secondaries (zone_id, address, port, key_id, position, active_until, due_at)
        select id, '127.0.0.1', 9, 'key_1', 0, app_now(), app_now() from zones
        where (name = ${zone} or id::text = ${zone}) and state = 'live' on conflict do nothing`.execute(database.db)
      return { path: `/zones/${zone}/secondaries/config?for=bind` }
    },
  },
  getPropagation: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/propagation` }),
  },
  getDelegation: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/delegation` }),
  },
  checkDelegation: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/delegation/check` }),
  },
  getRegistrar: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/registrar` }),
  },
  startScan: {
    opens: ['records:write'],
    status: 202,
    call: async (zone) => {
      await sql`delete from zone_scans`.execute(database.db)
      return { path: `/zones/${zone}/scan` }
    },
  },
  getScan: {
    opens: ['records:write'],
    status: 200,
    call: async (zone) => {
      await sql`
        insert into zone_scans (zone_id, account_id, created_at, state, finished_at)
        select id, account_id, app_now(), 'done', app_now() from zones where (name = ${zone} or id::text = ${zone}) and state = 'live'`.execute(
        database.db,
      )
      return { path: `/zones/${zone}/scan` }
    },
  },
  getChecklist: {
    opens: ['records:read'],
    status: 200,
    call: async (zone) => ({ path: `/zones/${zone}/checklist` }),
  },
  listTlds: { opens: ['domains:buy'], status: 200, call: async () => ({ path: '/tlds' }) },
  checkDomains: {
    opens: ['domains:buy'],
    status: 200,
    call: async () => ({ path: '/domains/check', body: { names: ['shop.test'] } }),
  },
  listContacts: { opens: ['domains:buy'], status: 200, call: async () => ({ path: '/contacts' }) },
  createContact: {
    opens: ['domains:buy'],
    status: 201,
    call: async () => {
      await sql`delete from contacts`.execute(database.db)
      return { path: '/contacts', body: testContact }
    },
  },
  getContact: { opens: ['domains:buy'], status: 200, call: async () => ({ path: `/contacts/${await contact()}` }) },
  changeContact: {
    opens: ['domains:buy'],
    status: 200,
    call: async () => ({ path: `/contacts/${await contact()}`, body: { city: 'Ibadan' } }),
  },
  deleteContact: { opens: ['domains:buy'], status: 204, call: async () => ({ path: `/contacts/${await contact()}` }) },
  listDomains: { opens: ['domains:read'], status: 200, call: async () => ({ path: '/domains' }) },
  getDomain: { opens: ['domains:read'], status: 200, call: async () => ({ path: `/domains/${ownDomain}` }) },
  setNameservers: {
    opens: ['domains:manage'],
    status: 200,
    call: async () => ({
      path: `/domains/${ownDomain}/nameservers`,
      body: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
    }),
  },
  lockDomain: { opens: ['domains:manage'], status: 200, call: async () => ({ path: `/domains/${ownDomain}/lock` }) },
  unlockDomain: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/unlock`, body: {} }),
    signedIn: '403 code_required',
  },
  revealTransferCode: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/transfer-code`, body: {} }),
    // The lock routes of this table have already locked it. A locked domain is refused before a code is used (changes.test.ts).
    signedIn: '409 domain_locked',
  },
  setContacts: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/contacts`, body: { contact_id: await contact() } }),
  },
  approveTransferOut: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/domains/${ownDomain}/transfer-out/approve` }),
    signedIn: '409 conflict',
  },
  rejectTransferOut: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/transfer-out/reject` }),
    signedIn: '409 conflict',
  },
  turnAutoRenewOn: {
    opens: ['domains:manage'],
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/auto-renew` }),
  },
  turnAutoRenewOff: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/auto-renew` }),
  },
  listCards: { opens: 'session', status: 200, call: async () => ({ path: '/cards' }) },
  removeCard: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/cards/card_none' }),
    // Only a payment saves a card: orders/saved-cards.test.ts.
    signedIn: '404 not_found',
  },
  getRenewalCard: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/renewal-card` }),
  },
  allowRenewalCard: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/renewal-card`, body: { card_id: 'card_none' } }),
    // Auto-renew is off.
    signedIn: '409 conflict',
  },
  withdrawRenewalCard: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/domains/${ownDomain}/renewal-card` }),
  },
  listDomainManagers: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domains/${ownDomain}/managers` }),
  },
  inviteDomainManager: {
    opens: 'session',
    status: 201,
    call: async () => ({ path: `/domains/${ownDomain}/managers`, body: { email: 'guest@example.net' } }),
  },
  removeDomainManager: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/domains/${ownDomain}/managers/nobody@example.net` }),
    signedIn: '404 not_found',
  },
  listDomainInvitations: { opens: 'session', status: 200, call: async () => ({ path: '/domain-invitations' }) },
  acceptDomainInvitation: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/domain-invitations/${await domainInvitation()}/accept` }),
  },
  declineDomainInvitation: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/domain-invitations/${await domainInvitation()}/decline` }),
  },
  createQuote: {
    opens: ['domains:buy'],
    status: 201,
    call: async () => ({ path: '/quotes', body: { kind: 'register', name: `quoted${++fresh}.test` } }),
  },
  listOrders: { opens: ['domains:read'], status: 200, call: async () => ({ path: '/orders' }) },
  getOrder: {
    opens: ['domains:read'],
    status: 200,
    call: async () => ({ path: `/orders/${await order()}` }),
    // A key that has only domains:buy reads the orders that it placed: orders.test.ts.
  },
  createOrder: {
    opens: ['domains:buy'],
    status: 200,
    call: async () => ({ path: '/orders?dry_run=true', body: await orderBody() }),
  },
  cancelOrder: {
    opens: ['domains:buy'],
    status: 200,
    // An order that the key placed. For other orders, it also needs domains:read: orders.test.ts.
    call: async (_, key) => ({ path: `/orders/${await orderBy(key)}/cancel` }),
  },
  startCheckout: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/orders/${await order()}/checkout` }),
    // No gateway runs here. payments.test.ts has one.
    signedIn: '503 unavailable',
  },
  checkPayment: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/orders/${await order()}/checkout/check` }),
  },
  createPayLink: {
    opens: 'session',
    status: 201,
    call: async () => ({ path: `/orders/${await order()}/pay-link` }),
  },
  getPayLink: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/orders/${await order()}/pay-link` }),
    signedIn: '404 not_found',
  },
  deletePayLink: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/orders/${await order()}/pay-link` }),
    signedIn: '404 not_found',
  },
  getReceipt: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/orders/${await order()}/receipt` }),
    signedIn: '404 not_found',
  },
  getPayPage: {
    opens: 'public',
    status: 200,
    call: async () => ({ path: '/pay/none' }),
    signedIn: '404 not_found',
  },
  payByLink: {
    opens: 'public',
    status: 200,
    call: async () => ({ path: '/pay/none/checkout', body: { email: 'client@example.net' } }),
    signedIn: '404 not_found',
  },
  checkLinkedPayment: {
    opens: 'public',
    status: 204,
    call: async () => ({ path: '/pay/none/checkout/check' }),
    signedIn: '404 not_found',
  },
  gatewayNews: {
    opens: 'public',
    status: 200,
    call: async () => ({ path: '/gateway/paystack', body: { event: 'charge.success' } }),
    signedIn: '403 forbidden',
  },
  getCredit: { opens: ['domains:buy'], status: 200, call: async () => ({ path: '/credit' }) },
  listCreditEntries: { opens: 'session', status: 200, call: async () => ({ path: '/credit/entries' }) },
  checkPromoCode: {
    opens: ['domains:buy'],
    status: 200,
    call: async () => ({ path: '/promo-codes/check', body: { code: 'NONE', kind: 'register', name: 'shop.test' } }),
  },
  listWebhooks: { opens: ['webhooks:manage'], status: 200, call: async () => ({ path: '/webhooks' }) },
  createWebhook: {
    opens: ['webhooks:manage'],
    status: 201,
    call: async () => {
      await endpoint()
      return { path: '/webhooks', body: { url: testReceiver } }
    },
  },
  getWebhook: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await endpoint()}` }),
  },
  deleteWebhook: {
    opens: ['webhooks:manage'],
    status: 204,
    call: async () => ({ path: `/webhooks/${await endpoint()}` }),
  },
  changeWebhook: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await endpoint()}`, body: { description: 'Changed' } }),
  },
  testWebhook: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await endpoint()}/test` }),
  },
  rotateWebhookSecret: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await endpoint()}/rotate-secret` }),
  },
  listDeliveries: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await endpoint()}/deliveries` }),
  },
  getDelivery: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await delivery()}` }),
  },
  redeliver: {
    opens: ['webhooks:manage'],
    status: 202,
    call: async () => ({ path: `/webhooks/${await delivery()}/redeliver` }),
  },
  recoverWebhook: {
    opens: ['webhooks:manage'],
    status: 202,
    call: async () => ({ path: `/webhooks/${await endpoint()}/recover`, body: { since: '2026-01-01T00:00:00Z' } }),
  },
  listEvents: { opens: ['webhooks:manage'], status: 200, call: async () => ({ path: '/webhooks/events' }) },
  getEvent: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/events/${await testEvent(database.db, owner)}` }),
  },
  listEventTypes: { opens: ['webhooks:manage'], status: 200, call: async () => ({ path: '/webhooks/event-types' }) },
  countAttempts: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: `/webhooks/${await endpoint()}/statistics` }),
  },
  listSourceAddresses: {
    opens: ['webhooks:manage'],
    status: 200,
    call: async () => ({ path: '/webhooks/source-addresses' }),
  },
  currentKey: {
    opens: 'any',
    status: 200,
    call: async () => ({ path: '/api-keys/current' }),
    signedIn: '404 not_found',
  },
  listKeys: { opens: 'session', status: 200, call: async () => ({ path: '/api-keys' }) },
  createKey: {
    opens: 'session',
    status: 201,
    call: async () => ({
      path: '/api-keys',
      body: {
        name: `made ${++fresh}`,
        zones: 'all',
        permissions: ['records:read'],
        expires_in: 'never',
        code: person.backupCodes[0],
      },
    }),
  },
  narrowKey: {
    opens: 'session',
    status: 200,
    call: async () => ({
      path: `/api-keys/${await keyNamed('narrowed')}`,
      body: { permissions: ['records:read'] },
    }),
  },
  createTsig: {
    opens: 'session',
    status: 201,
    call: async () => ({ path: `/api-keys/${await keyNamed('signing')}/tsig`, body: { code: person.backupCodes[2] } }),
  },
  deleteTsig: {
    opens: 'session',
    status: 204,
    call: async () => {
      const id = await keyNamed('unsigning')
      await tsigOf(api, owner, id)
      return { path: `/api-keys/${id}/tsig` }
    },
  },
  acmeDnsAccount: {
    opens: 'session',
    status: 200,
    call: async (zone) => {
      await api.key(owner, { name: `acme ${++fresh}` })
      const { rows } = await sql<{ id: string }>`select id from api_keys where name = ${`acme ${fresh}`}`.execute(
        database.db,
      )
      return { path: `/api-keys/${rows[0]?.id}/acme-dns`, body: { zone, label: 'www' } }
    },
    // The key is for all zones, and covers no shared zone.
    asManager: '422 validation_failed',
  },
  getTsigConfig: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/api-keys/${await keyNamed('configured')}/tsig/config?for=kea` }),
  },
  revokeKey: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/api-keys/${await keyNamed('going')}` }),
  },
  getAccount: { opens: 'session', status: 200, call: async () => ({ path: '/account' }) },
  changeAccount: { opens: 'session', status: 200, call: async () => ({ path: '/account', body: { name: 'Ada' } }) },
  askForEmail: {
    opens: 'session',
    status: 204,
    call: async () => ({
      path: '/account/email',
      body: { email: 'other@example.net', ...(await wrongProof()) },
    }),
    signedIn: '403 forbidden',
  },
  confirmEmail: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/account/email/confirm', body: { token: 'made up' } }),
    signedIn: '409 conflict',
  },
  listPasskeys: { opens: 'session', status: 200, call: async () => ({ path: '/account/passkeys' }) },
  beginPasskey: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/account/passkeys/options', body: await wrongProof() }),
    signedIn: '403 forbidden',
  },
  createPasskey: {
    opens: 'session',
    status: 201,
    call: async () => ({
      path: '/account/passkeys',
      body: { id: 'AA', client_data: 'AA', authenticator_data: 'AA', name: 'Phone' },
    }),
    signedIn: '422 validation_failed',
  },
  renamePasskey: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: `/account/passkeys/${owner}`, body: { name: 'Phone' } }),
    signedIn: '404 not_found',
  },
  removePasskey: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/account/passkeys/${owner}`, body: await wrongProof() }),
    signedIn: '403 forbidden',
  },
  listLinkedProviders: { opens: 'session', status: 200, call: async () => ({ path: '/account/providers' }) },
  beginProviderLink: {
    opens: 'session',
    status: 200,
    call: async () => ({
      path: '/account/providers/link',
      body: { provider: 'google', ...(await wrongProof()) },
    }),
    signedIn: '409 conflict',
  },
  unlinkProvider: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: `/account/providers/${owner}`, body: await wrongProof() }),
    signedIn: '403 forbidden',
  },
  getNotifications: { opens: 'session', status: 200, call: async () => ({ path: '/account/notifications' }) },
  muteNotifications: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/account/notifications', body: { muted: ['webhooks'] } }),
  },
  addNotificationAddress: {
    opens: 'session',
    status: 201,
    call: async () => ({
      path: '/account/notifications/addresses',
      body: { email: 'ops@example.net', topics: ['zones'] },
    }),
  },
  changeNotificationAddress: {
    opens: 'session',
    status: 200,
    call: async () => ({ path: '/account/notifications/addresses/nobody@example.net', body: { topics: ['zones'] } }),
    signedIn: '404 not_found',
  },
  removeNotificationAddress: {
    opens: 'session',
    status: 204,
    call: async () => ({ path: '/account/notifications/addresses/nobody@example.net' }),
    signedIn: '404 not_found',
  },
  readNotificationLink: {
    opens: 'public',
    status: 200,
    call: async () => ({ path: '/notification-links/read', body: { token: 'made up' } }),
    signedIn: '409 conflict',
  },
  answerNotificationLink: {
    opens: 'public',
    status: 204,
    call: async () => ({ path: '/notification-links/answer', body: { token: 'made up', answer: 'stop' } }),
    signedIn: '409 conflict',
  },
  deleteAccount: {
    opens: 'session',
    status: 204,
    // Does not use the right password, because the other rows still need the account.
    call: async () => ({ path: '/account', body: await wrongProof() }),
    signedIn: '403 forbidden',
  },
  followUpdates: {
    opens: 'session',
    status: 422,
    // An accepted stream would not end.
    call: async () => ({ path: '/updates?unknown=1' }),
    signedIn: '422 validation_failed',
  },
  listAudit: { opens: 'session', status: 200, call: async () => ({ path: '/audit-log' }) },
}

const allRows = server.routes.map((route) => ({ route, ...rowOf(route) }))
const rows = allRows.filter(({ opens }) => opens !== 'public')

function rowOf(route: Route): Row {
  const row = table[route.id]
  if (row === undefined) throw new Error(`the route ${route.id} has no row in this table: say who may call it`)
  return row
}

const isOfZone = (route: Route): boolean => route.path.includes('{zone}')
const opens = (row: Row, permission: Permission): boolean =>
  row.opens === 'any' || (typeof row.opens !== 'string' && row.opens.includes(permission))
/** The result for a key with every permission. */
const withAll = (row: Row): string => (row.opens === 'session' ? '403 forbidden' : String(row.status))

async function knock(
  { route, ...row }: (typeof rows)[number],
  authorization: string | undefined,
  zone: string,
): Promise<TestAnswer> {
  const key = /^bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  const { path, body, headers } = await row.call(zone, key)
  return api.call(route.method, path, {
    body,
    prefix: '/api/v1',
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
  })
}

const withKey = (row: (typeof rows)[number], key: string, zone = own.name): Promise<TestAnswer> =>
  knock(row, `Bearer ${key}`, zone)

/** Status and code of a refusal, or only the status of any other response. */
function outcome({ status, body }: TestAnswer): string {
  return status < 400 ? String(status) : `${status} ${body.error.code}`
}

let own: ZoneRow
let otherOwn: ZoneRow
let shared: ZoneRow
let foreign: ZoneRow

before(async () => {
  const registrar = registry.connect('zonewright')
  for (const name of [ownDomain, sharedDomain, foreignDomain]) await register(registrar, name)
  own = await api.zone(owner, 'own.example.com')
  otherOwn = await api.zone(owner, 'other-own.example.com')
  shared = await api.zone(stranger, 'shared.example.org')
  foreign = await api.zone(stranger, 'foreign.example.org')
  await api.zone(stranger, testFreeParent)
  await sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
    values (${ownDomain}, 'test', ${owner}, 'held', 'ord_1', false), (${sharedDomain}, 'test', ${stranger}, 'held', 'ord_1', false),
      (${foreignDomain}, 'test', ${stranger}, 'held', 'ord_1', false)`.execute(database.db)
  await sql`insert into domain_managers (domain_id, account_id)
    select id, ${owner} from domains where name = ${sharedDomain}`.execute(database.db)
  await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${owner})`.execute(database.db)
  await sql`insert into zone_rrsets (zone_id, name, type, ttl, records) select id, '_acme-challenge.' || name, 'TXT', 60, array['"here"'] from zones`.execute(
    database.db,
  )
})

test('every route of the server has a row here, and every row has a route', () => {
  assert.deepEqual(server.routes.map(({ id }) => id).sort(), Object.keys(table).sort())
})

test('public routes require no identity and ignore one', async () => {
  for (const row of allRows.filter(({ opens }) => opens === 'public'))
    for (const authorization of [undefined, 'Basic x', `Bearer ${everything}`]) {
      const { status, body } = await knock(row, authorization, own.name)
      assert.equal(
        status < 400 ? String(status) : `${status} ${body.error.code}`,
        row.signedIn ?? String(row.status),
        row.route.id,
      )
    }
})

test('without an Authorization header, every caller is signed out', async () => {
  for (const row of rows) {
    const answer = await knock(row, undefined, own.name)
    assert.equal(outcome(answer), '401 signed_out', row.route.id)
    assert.equal(answer.headers['www-authenticate'], 'Bearer', row.route.id)
  }
})

test('a header that is not "Bearer" and one token is an invalid key on every route', async () => {
  const headers = [
    '',
    'Basic b3duZXI6c2VjcmV0',
    'Bearer',
    'Bearer ',
    everything,
    `Bearer ${everything} ${everything}`,
    `Bearer ${everything} `,
    `Bearer ${everything},`,
    `Token ${everything}`,
  ]
  for (const row of rows)
    for (const header of headers) {
      const answer = await knock(row, header, own.name)
      assert.equal(outcome(answer), '401 invalid_key', `${row.route.id} ${JSON.stringify(header)}`)
      assert.match(answer.body.error.message, /Send "Bearer/)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    }
})

test('the scheme can be in any letter case', async () => {
  for (const row of rows)
    for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
      assert.equal(outcome(await knock(row, `${scheme} ${everything}`, own.name)), withAll(row), row.route.id)
})

test('refuses a key that is mistyped, unknown, revoked or expired, and says which', async () => {
  const revoked = await api.key(owner, { name: 'revoked' })
  await sql`update api_keys set revoked_at = '2026-01-02T03:04:05.678Z' where name = 'revoked'`.execute(database.db)
  const expired = await api.key(owner, { name: 'expired', expiresIn: '30d' })
  await sql`update api_keys set expires_at = '2026-02-03T04:05:06.789Z' where name = 'expired'`.execute(database.db)
  const typed = everything.slice(0, 20) + (everything[20] === 'a' ? 'b' : 'a') + everything.slice(21)
  const bad: [key: string, message: RegExp][] = [
    [typed, /is mistyped\.$/],
    ['svc_live_', /is mistyped\.$/],
    ['sk_live_other', /is mistyped\.$/],
    [newSecret(), /is mistyped or does not exist\.$/],
    [revoked, /was revoked at 2026-01-02T03:04:05\.678Z\.$/],
    [expired, /expired at 2026-02-03T04:05:06\.789Z\.$/],
  ]
  for (const row of rows)
    for (const [key, message] of bad) {
      const answer = await withKey(row, key)
      assert.equal(outcome(answer), '401 invalid_key', `${row.route.id} ${message}`)
      assert.match(answer.body.error.message, message, row.route.id)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    }
})

test('each permission opens exactly its own routes, and a refusal names the missing permission', async () => {
  for (const permission of permissions) {
    const key = await api.key(owner, { name: `only ${permission}`, permissions: [permission] })
    for (const row of rows) {
      const answer = await withKey(row, key)
      const allowed = opens(row, permission)
      assert.equal(
        outcome(answer),
        allowed ? String(row.status) : '403 forbidden',
        `${row.route.id} with ${permission}`,
      )
      if (!allowed && row.opens === 'session')
        assert.match(answer.body.error.message, /^API keys cannot do this\. Use the dashboard\.$/)
      else if (!allowed && typeof row.opens !== 'string')
        for (const wanted of row.opens)
          assert.ok(answer.body.error.message.includes(wanted), `${row.route.id}: ${answer.body.error.message}`)
    }
  }
})

test('all permissions together, except those that open a route, do not open that route', async () => {
  for (const row of rows.filter(({ opens }) => opens !== 'any')) {
    const key = await api.key(owner, { permissions: permissions.filter((permission) => !opens(row, permission)) })
    assert.equal(outcome(await withKey(row, key)), '403 forbidden', row.route.id)
  }
})

test('a key with every permission opens every route that a key can open', async () => {
  for (const row of rows) assert.equal(outcome(await withKey(row, everything)), withAll(row), row.route.id)
})

const picked: readonly Permission[] = permissions.filter((permission) => !allZonesPermissions.has(permission))
const forPicked = ({ opens }: Row): boolean =>
  opens === 'any' || (typeof opens !== 'string' && opens.some((permission) => !allZonesPermissions.has(permission)))
/** Routes of zones that a key for particular zones can open. */
const zoneRows = rows.filter((row) => isOfZone(row.route) && forPicked(row))

test('a key for particular zones reaches them by name and by id; a refusal names the zone that it lacks', async () => {
  const key = await api.key(owner, { zones: [own.id], permissions: picked })
  for (const row of zoneRows) {
    for (const ref of [own.name, own.id, own.id.toUpperCase(), `${own.name}.`, own.name.toUpperCase()])
      assert.equal(outcome(await withKey(row, key, ref)), String(row.status), `${row.route.id} ${ref}`)
    for (const ref of [otherOwn.name, otherOwn.id]) {
      const answer = await withKey(row, key, ref)
      assert.equal(outcome(answer), '403 forbidden', `${row.route.id} ${ref}`)
      assert.match(answer.body.error.message, /lacks the zone other-own\.example\.com/)
    }
  }
})

test('a key for all zones covers its account’s zones, including later ones, but never a shared zone', async () => {
  const key = await api.key(owner, { permissions: picked })
  const later = await api.zone(owner, 'later.example.com')
  await sql`insert into zone_rrsets (zone_id, name, type, ttl, records) values (${later.id}, '_acme-challenge.later.example.com', 'TXT', 60, array['"here"'])`.execute(
    database.db,
  )
  for (const row of zoneRows) {
    assert.equal(outcome(await withKey(row, key, later.name)), String(row.status), row.route.id)
    for (const ref of [shared.name, shared.id]) {
      const answer = await withKey(row, key, ref)
      assert.equal(outcome(answer), '403 forbidden', row.route.id)
      assert.match(
        answer.body.error.message,
        /lacks the zone shared\.example\.org\. Create a key that includes shared\.example\.org/,
      )
    }
  }
})

/** Routes that cover all of a zone, which a key with limits never does. */
const wholeZone: readonly string[] = [
  'replaceRrsets',
  'exportZone',
  'listVersions',
  'getVersion',
  'diffVersion',
  'restoreVersion',
  'getChecklist',
  'getSecondaries',
  'getSecondaryConfig',
  'startScan',
  'getScan',
]
const limitable: readonly Permission[] = ['records:read', 'records:write', 'acme:dns01']

test('a key with limits reaches the routes of its permissions, except those that cover a whole zone', async () => {
  const limits = [{ zone: own.id, names: ['@', '*'], types: ['A', 'TXT'] }]
  const limited = (permissions: readonly Permission[]) => api.key(owner, { picks: [own.id], limits, permissions })
  const all = await limited(limitable)
  for (const row of rows) {
    const opening = row.opens === 'any' || limitable.some((permission) => opens(row, permission))
    const isWhole = wholeZone.includes(row.route.id)
    const answer = await withKey(row, all)
    assert.equal(outcome(answer), opening && !isWhole ? String(row.status) : '403 forbidden', row.route.id)
    if (isWhole) assert.match(answer.body.error.message, /is limited to some record sets, and this call covers all/)
  }
  for (const permission of limitable) {
    const key = await limited([permission])
    for (const row of zoneRows.filter((row) => wholeZone.includes(row.route.id) || !opens(row, permission)))
      assert.equal(outcome(await withKey(row, key)), '403 forbidden', `${row.route.id} with ${permission}`)
  }
  for (const row of zoneRows) {
    assert.equal(outcome(await withKey(row, all, otherOwn.name)), '403 forbidden', row.route.id)
    assert.equal(
      outcome(await withKey(row, all, foreign.name)),
      wholeZone.includes(row.route.id) ? '403 forbidden' : '404 not_found',
      row.route.id,
    )
  }
  const elsewhere = [{ zone: own.id, names: ['nowhere'], types: ['CAA'] }]
  const narrow = await api.key(owner, { picks: [own.id], limits: elsewhere, permissions: limitable })
  const ofRecords = zoneRows.filter(
    ({ route }) => /\/rrsets|\/import|\/presets/.test(route.path) && route.id !== 'listRrsets',
  )
  assert.ok(ofRecords.length > 7)
  for (const row of ofRecords) assert.equal(outcome(await withKey(row, narrow)), '403 forbidden', row.route.id)
})

test('covers a shared zone that was selected by name', async () => {
  const key = await api.key(owner, { zones: [shared.id], permissions: picked })
  for (const row of zoneRows) {
    assert.equal(outcome(await withKey(row, key, shared.name)), String(row.status), row.route.id)
    assert.equal(outcome(await withKey(row, key, own.name)), '403 forbidden', row.route.id)
  }
})

test('another account’s zone looks the same as one that does not exist', async () => {
  const nowhere = ['nowhere.example.org', '00000000-0000-4000-8000-000000000000', 'not a name', '%00', '*']
  for (const row of zoneRows)
    for (const key of [everything, await api.key(owner, { zones: [own.id], permissions: picked })]) {
      const answers = []
      for (const ref of [foreign.name, foreign.id, ...nowhere])
        answers.push(await withKey(row, key, encodeURI(ref).replace('%2500', '%00')))
      for (const answer of answers) {
        assert.equal(outcome(answer), '404 not_found', row.route.id)
        assert.equal(answer.body.error.message, answers[0]?.body.error.message)
      }
    }
})

/** Routes of domains that a key for particular domains can open. */
const domainRows = rows.filter((row) => row.route.path.startsWith('/domains/{name}') && forPicked(row))

async function aboutDomain({ route, ...row }: (typeof rows)[number], key: string, domain: string): Promise<TestAnswer> {
  const { path, ...options } = await row.call(own.name, key)
  return api.call(route.method, path.replace(ownDomain, domain), { ...options, key })
}

test('a key for particular domains reaches them, including shared ones; a refusal names the domain that it lacks', async () => {
  assert.deepEqual(domainRows.map(({ route }) => route.id).sort(), [
    'getDomain',
    'lockDomain',
    'setNameservers',
    'turnAutoRenewOn',
  ])
  for (const [picked_, lacked] of [
    [ownDomain, sharedDomain],
    [sharedDomain, ownDomain],
  ] as const) {
    const key = await api.key(owner, { picks: [picked_], permissions: picked })
    for (const row of domainRows) {
      assert.equal(outcome(await aboutDomain(row, key, picked_)), String(row.status), `${row.route.id} ${picked_}`)
      const answer = await aboutDomain(row, key, lacked)
      assert.equal(outcome(answer), '403 forbidden', `${row.route.id} ${lacked}`)
      assert.match(
        answer.body.error.message,
        new RegExp(`lacks the domain ${lacked}\\. Create a key .*includes ${lacked}`),
      )
    }
    for (const row of zoneRows) assert.equal(outcome(await withKey(row, key)), '403 forbidden', row.route.id)
  }
})

test('a key for particular zones reaches no domain, and a key for all zones reaches no shared domain', async () => {
  const zonesOnly = await api.key(owner, { zones: [own.id, shared.id], permissions: picked })
  const all = await api.key(owner, { permissions: picked })
  for (const row of domainRows) {
    for (const domain of [ownDomain, sharedDomain])
      assert.equal(outcome(await aboutDomain(row, zonesOnly, domain)), '403 forbidden', `${row.route.id} ${domain}`)
    assert.equal(outcome(await aboutDomain(row, all, ownDomain)), String(row.status), row.route.id)
    assert.equal(outcome(await aboutDomain(row, all, sharedDomain)), '403 forbidden', row.route.id)
  }
})

test('another account’s domain looks the same as one that does not exist', async () => {
  for (const key of [everything, await api.key(owner, { picks: [ownDomain], permissions: picked })])
    for (const row of domainRows) {
      const messages = new Set<string>()
      for (const name of [foreignDomain, 'nowhere.test', 'not%20a%20name', '*']) {
        const answer = await aboutDomain(row, key, name)
        assert.equal(outcome(answer), '404 not_found', `${row.route.id} ${name}`)
        messages.add(answer.body.error.message)
      }
      assert.equal(messages.size, 1, row.route.id)
    }
})

test('reports a missing permission, together with a missing zone, before it checks existence', async () => {
  for (const row of zoneRows.filter(({ opens }) => opens !== 'any')) {
    const lacking = await api.key(owner, { zones: [own.id], permissions: ['domains:read'] })
    const messages = []
    for (const ref of [foreign.name, foreign.id, 'nowhere.example.org', own.name]) {
      const answer = await withKey(row, lacking, ref)
      assert.equal(outcome(answer), '403 forbidden', row.route.id)
      messages.push(answer.body.error.message)
    }
    assert.equal(new Set(messages).size, 1, 'the refusal does not tell whether the zone exists')
    const both = await withKey(row, lacking, otherOwn.name)
    assert.match(both.body.error.message, /lacks the permission .* and the zone other-own\.example\.com/)
  }
})

test('refuses a caller before it reads the body', async () => {
  const key = await api.key(owner, { permissions: ['domains:read'] })
  for (const row of rows.filter(({ route, opens }) => route.body !== undefined && opens !== 'session')) {
    const { path } = await row.call(own.name)
    for (const authorization of [undefined, 'Basic x', `Bearer ${key}`]) {
      const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
      const { status } = await api.call(row.route.method, path, { body: '{broken', headers, prefix: '/api/v1' })
      assert.equal(status, authorization === `Bearer ${key}` ? 403 : 401, row.route.id)
    }
  }
})

test('the webhook paths also work without the prefix, with the same rules', async () => {
  const key = await api.key(owner, { permissions: ['records:read'] })
  for (const { route, ...row } of rows.filter(({ route }) => route.path.startsWith('/webhooks')))
    for (const [authorization, expected] of [
      [undefined, '401 signed_out'],
      [`Bearer ${key}`, '403 forbidden'],
      [`Bearer ${everything}`, String(row.status)],
    ] as const) {
      const { path, body } = await row.call('')
      const answer = await api.call(route.method, path, {
        body,
        prefix: '',
        headers: authorization === undefined ? {} : { authorization },
      })
      assert.equal(outcome(answer), expected, route.id)
    }
})

test('a revocation and an expiry apply from the next request on', async () => {
  const key = await api.key(owner, { name: 'short-lived', expiresIn: '30d' })
  const get = async () => outcome(await api.call('GET', '/api-keys/current', { key }))
  assert.equal(await get(), '200')
  await moveClock(database, '29 days 23 hours')
  assert.equal(await get(), '200')
  await moveClock(database, '30 days 1 second')
  assert.equal(await get(), '401 invalid_key')
  await moveClock(database, '0 seconds')
  assert.equal(await get(), '200')
  await sql`update api_keys set revoked_at = app_now() where name = 'short-lived'`.execute(database.db)
  assert.equal(await get(), '401 invalid_key')
})

/** Each call needs its own code, and the rows contain one. */
function takesCode({ id }: Route): boolean {
  return id === 'createKey' || id === 'createTsig'
}

test('a signed-in person can call every route in own and shared zones, and sees no other zones', async () => {
  for (const row of rows) {
    const knockAs = async (zone: string): Promise<string> => {
      const { path, body, headers } = await row.call(zone)
      return outcome(await person.call(row.route.method, path, { body, ...(headers ? { headers } : {}) }))
    }
    if (takesCode(row.route)) {
      assert.equal(await knockAs(own.name), '201', row.route.id)
      assert.equal(await knockAs(own.name), '403 code_wrong', 'the code was used')
      continue
    }
    const expected = row.signedIn ?? String(row.status)
    for (const zone of [own.name, own.id]) assert.equal(await knockAs(zone), expected, `${row.route.id} ${zone}`)
    assert.equal(await knockAs(shared.name), row.asManager ?? expected, `${row.route.id} ${shared.name}`)
    if (isOfZone(row.route))
      for (const zone of [foreign.name, foreign.id, 'nowhere.example.org'])
        assert.equal(await knockAs(zone), '404 not_found', `${row.route.id} ${zone}`)
  }
})

test('on every route, a POST repeated with its Idempotency-Key gets the first response', async () => {
  // A real order is repeated in orders.test.ts. Here it is a dry run, which runs again.
  const posts = rows.filter(({ route }) => route.method === 'POST' && route.id !== 'createOrder')
  assert.ok(posts.length > 20)
  for (const { route, ...row } of posts) {
    const { path, body, headers } = await row.call(own.name)
    const options = {
      body: takesCode(route) ? { ...(body as object), code: person.backupCodes.pop() } : body,
      headers: { ...headers, 'idempotency-key': route.id },
    }
    const ask = (): Promise<TestAnswer> =>
      row.opens === 'session'
        ? person.call('POST', path, options)
        : api.call('POST', path, { key: everything, ...options })
    const [first, again] = [await ask(), await ask()]
    assert.equal(outcome(first), (row.opens === 'session' && row.signedIn) || String(row.status), route.id)
    if (first.status >= 400) continue
    if (route.secret) assert.equal(outcome(again), '409 idempotency_replayed', route.id)
    else assert.deepEqual([again.status, again.body], [first.status, first.body], route.id)
    if (path.includes('dry_run')) continue
    const other = { ...options, headers: { ...options.headers, 'content-type': 'text/dns' }, body: '; another body' }
    const wrong =
      row.opens === 'session' ? person.call('POST', path, other) : api.call('POST', path, { key: everything, ...other })
    // A malformed body is reported first.
    assert.match(outcome(await wrong), /^(409 idempotency_mismatch|415 unsupported_media_type)$/, route.id)
  }
})

test('two concurrent requests to each route are answered with one connection to PostgreSQL, by key and by session', async () => {
  const asKey = (row: (typeof allRows)[number], { path, ...options }: Awaited<ReturnType<Row['call']>>, more: object) =>
    api.call(row.route.method, path, {
      ...options,
      prefix: '/api/v1',
      ...(row.opens === 'public' ? {} : { key: everything }),
      headers: { ...options.headers, ...more },
    })
  const asPerson = (
    row: (typeof allRows)[number],
    { path, ...options }: Awaited<ReturnType<Row['call']>>,
    more: object,
  ) => person.call(row.route.method, path, { ...options, headers: { ...options.headers, ...more } })
  for (const row of allRows) {
    const { route, opens, status, signedIn = String(status) } = row
    const repeats = route.method === 'POST' ? [{}, { 'idempotency-key': `twice ${route.id}` }] : [{}]
    for (const [ask, expected] of [
      [asKey, opens === 'session' ? '403 forbidden' : opens === 'public' ? signedIn : String(status)],
      [asPerson, signedIn],
    ] as const)
      for (const more of opens === 'public' && ask === asPerson ? [] : repeats) {
        await sql`delete from account_tries`.execute(database.db)
        await sql`delete from account_guesses`.execute(database.db)
        // A window cannot hold the requests of all rows in one minute, and the limit that keeps it small is off here.
        await sql`delete from api_key_windows`.execute(database.db)
        const call = await row.call(own.name)
        const answers = await onOneConnection(database, () =>
          within(60_000, route.id, Promise.all([ask(row, call, more), ask(row, call, more)])),
        )
        const outcomes = answers.map(outcome)
        const said = `${route.id} ${JSON.stringify(more)}: ${outcomes}`
        if (!takesCode(route)) assert.ok(outcomes.includes(expected), said)
        // `expected` may be the 503 of the card gateway, which does not respond here.
        assert.ok(
          answers.every(({ status }, i) => status < 500 || outcomes[i] === signedIn),
          said,
        )
      }
  }
})

test('refuses an invalid header even with a valid session', async () => {
  for (const row of rows) {
    const { path, body } = await row.call(own.name)
    for (const authorization of ['Basic x', `Bearer ${newSecret()}`]) {
      const answer = await person.call(row.route.method, path, { body, headers: { authorization } })
      assert.equal(outcome(answer), '401 invalid_key', row.route.id)
    }
  }
})

test('the keys of a deleted account open nothing', async () => {
  const account = await api.account('leaving@example.net')
  const key = await api.key(account)
  await sql`update accounts set deleted_at = app_now() where id = ${account}`.execute(database.db)
  for (const row of rows) assert.equal(outcome(await withKey(row, key)), '401 invalid_key', row.route.id)
})

test('a zone that is no longer shared, or was deleted, leaves a key’s scope immediately and is not listed', async () => {
  const listed = async (key: string) =>
    (await api.call('GET', '/zones', { key })).body.data.map(({ name }: { name: string }) => name)
  const key = await api.key(owner, { zones: [shared.id], permissions: picked })
  assert.deepEqual(await listed(key), ['shared.example.org'])
  await sql`delete from zone_managers where zone_id = ${shared.id}`.execute(database.db)
  try {
    assert.deepEqual(await listed(key), [])
    assert.equal(outcome(await api.call('GET', `/zones/${shared.name}`, { key })), '404 not_found')
    assert.equal(outcome(await api.call('GET', `/zones?owns_name=www.${shared.name}`, { key })), '200')
    assert.deepEqual((await api.call('GET', `/zones?owns_name=www.${shared.name}`, { key })).body.data, [])
  } finally {
    await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${owner})`.execute(database.db)
  }
  // A list that becomes empty covers nothing, never all.
  await sql`delete from api_key_zones where zone_id = ${shared.id}`.execute(database.db)
  assert.deepEqual(await listed(key), [])
  for (const zone of [own, shared])
    assert.equal(outcome(await api.call('GET', `/zones/${zone.name}`, { key })), '403 forbidden')
})

test('records the use of a key at most once a minute, and never backwards in time', async () => {
  const used = async (name: string, key: string): Promise<string | null> => {
    await api.call('GET', '/api-keys/current', { key })
    const { rows } = await sql<{
      at: string | null
    }>`select last_used_at::text || ' ' || host(last_used_ip) as at from api_keys where name = ${name}`.execute(
      database.db,
    )
    return rows[0]?.at ?? null
  }
  const key = await api.key(owner, { name: 'noted' })
  let others = 0
  // No request waits until its use is recorded. Uses are recorded in order, so a later use of another key is recorded after this one.
  const usedInVain = async (noted: string): Promise<void> => {
    for (let i = 0; i < 5; i++) await used('noted', key)
    const name = `used later ${++others}`
    const other = await api.key(owner, { name })
    await eventually('the use of another key is noted', () => used(name, other))
    assert.equal(await used('noted', key), noted)
  }
  const first = await eventually('the first use is noted', () => used('noted', key))
  assert.match(first, / 127\.0\.0\.1$/)
  await usedInVain(first)
  await moveClock(database, '61 seconds')
  const second = await eventually('the next use is noted', async () => {
    const at = await used('noted', key)
    return at === first ? undefined : at
  })
  assert.ok(second > first)
  await moveClock(database, '0 seconds')
  await usedInVain(second)
})

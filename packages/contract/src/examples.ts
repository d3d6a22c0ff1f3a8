import { errorMessages } from './error-examples.ts'
import { eventTypes } from './event-types.ts'
import type { Json } from './openapi-schemas.ts'

/**
 * The examples of the OpenAPI document, which tell one story: Ada Obi hosts example.com, buys shop.test, and has one key and one webhook endpoint.
 * Everything that is missing here follows from the schema and from `byName`. A test validates every example.
 */
const day = (n: number, time = '09:30:00'): string => `2026-03-0${n}T${time}.000Z`
const hex = '0199a3c25b1e7d409c1f2f6b8a4e7d10'
const uuid = '0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10'
const accountId = '0199a3c0-1f2e-7a31-8b40-5d6e7f809112'
const email = 'ada@example.com'
const nameservers = ['ns1.example.net', 'ns2.example.net']
const registrarServers = ['ns1.registrar.example', 'ns2.registrar.example']

/** Values by the name of a member or a parameter, if neither the schema nor `objects` has one. */
export const byName: Readonly<Record<string, Json>> = {
  account: accountId,
  contact_id: `con_${hex}`,
  delivery: `dlv_${hex}`,
  email,
  name: 'www',
  nameservers,
  next_cursor: 'WyJ3d3cuZXhhbXBsZS5jb20iXQ',
  records: ['192.0.2.1'],
  request_id: `req_${hex}`,
  serial: 1_764_150_000,
  token: 'pay_0123456789abcdef',
  ttl: 3600,
  type: 'A',
  version: 7,
  zone: 'example.com',
}

/** Values by format. */
export const byFormat: Readonly<Record<string, string>> = {
  'date-time': day(1),
  uuid,
}

const actor = { kind: 'session', name: email, id: accountId, account_id: accountId, account_email: email }
const zone = {
  id: uuid,
  name: 'example.com',
  unicode_name: 'example.com',
  state: 'live',
  origin: 'verified',
  role: 'owner',
  version: 7,
  serial: 1_764_150_000,
  replicated: true,
  delegation: { state: 'live' },
  rrset_count: 12,
  nameservers,
  created_at: day(1),
}
const verification = {
  txt: { name: '_zonewright.example.com', value: 'zonewright-verification=4f1c2d3e' },
  nameserver: 'ns1.example.net',
  began_at: day(1),
  expires_at: day(8),
  checked_at: day(1, '09:35:00'),
  outcome: 'absent',
  contest_ends_at: null,
}
const pending = {
  ...zone,
  state: 'pending',
  version: 0,
  delegation: { state: 'waiting' },
  rrset_count: 2,
  verification,
}
const rrset = {
  name: 'www.example.com',
  type: 'A',
  ttl: 3600,
  records: ['192.0.2.1'],
  managed: false,
  updated_at: day(1),
}
const changes = [
  {
    name: 'www.example.com',
    type: 'A',
    before: { ttl: 3600, records: ['192.0.2.1'] },
    after: { ttl: 3600, records: ['192.0.2.1', '192.0.2.2'] },
  },
]
const dryRun = { version: 8, serial: 1_764_150_001, diff: { changes }, warnings: [] }
const preset = [
  { name: 'www.example.com', type: 'CNAME', before: null, after: { ttl: 3600, records: ['my-site.netlify.app.'] } },
]
const imported = {
  ...dryRun,
  ignored: [{ line: 3, name: 'example.com', type: 'SOA', reason: 'The service manages the SOA.' }],
  ignored_count: 1,
  adapted: [],
  adapted_count: 0,
  errors: [],
}
const person = {
  name: 'Ada Obi',
  organization: 'Obi Stores',
  email,
  phone: '+2348031234567',
  address1: '12 Broad Street',
  address2: '',
  city: 'Lagos',
  state: 'LA',
  postal_code: '101221',
  country: 'NG',
  extra: {},
}
const contact = { id: `con_${hex}`, ...person, created_at: day(1), updated_at: day(1) }
const domain = {
  id: `dom_${hex}`,
  name: 'shop.test',
  unicode_name: 'shop.test',
  zone_id: uuid,
  status: 'active',
  status_message: 'Registered until 2027-03-01.',
  expires_at: '2027-03-01T09:30:00.000Z',
  locked: true,
  auto_renew: true,
  nameservers,
  contacts: { registrant: person },
  role: 'owner',
  transfer_out: null,
  change: null,
  created_at: day(1),
  checked_at: day(2),
}
const deciding = { ...domain, change: { kind: 'nameservers', since: day(2) } }
const order = {
  id: `ord_${hex}`,
  kind: 'register',
  name: 'shop.test',
  years: 1,
  status: 'pending_payment',
  amount_kobo: 1_500_000,
  credit_kobo: 0,
  promo_code: '',
  promo_kobo: 0,
  client_email: '',
  last_error: '',
  created_at: day(1),
  paid_at: '',
  finished_at: '',
}
const orderDetails = {
  ...order,
  stage: 'awaiting_payment',
  stage_message: 'Waiting for the payment.',
  act_by: null,
  expires_at: day(8),
  due_kobo: 1_500_000,
  payments: [],
  receipt: null,
  pay_link_expires_at: null,
  url: `https://dashboard.example.com/app/orders/ord_${hex}`,
}
const endpoint = {
  id: `whe_${hex}`,
  url: 'https://hooks.example.com/zonewright',
  events: ['zone.records_changed'],
  description: 'Production',
  state: 'enabled',
  disabled_at: null,
  disabled_reason: null,
  status: 'succeeded',
  last_status: 200,
  retry: null,
  created_at: day(1),
}
export const event = {
  id: `evt_${hex}`,
  type: 'zone.records_changed',
  created_at: day(1),
  data: {
    zone: { id: uuid, name: 'example.com' },
    serial: 1_764_150_001,
    replicated: true,
    changes: [{ name: 'www.example.com', type: 'A', ttl: 3600, records: ['192.0.2.1', '192.0.2.2'] }],
  },
}
const delivery = {
  id: `dlv_${hex}`,
  event_id: event.id,
  event_type: event.type,
  zone: event.data.zone,
  order: null,
  test: false,
  status: 'succeeded',
  last_status: 200,
  failure: null,
  failure_detail: null,
  attempts: 1,
  attempt_count: 1,
  next_attempt_at: null,
  retry: null,
  created_at: day(1),
  finished_at: day(1, '09:30:01'),
}
const attempt = {
  number: 1,
  manual: false,
  started_at: day(1),
  duration_ms: 84,
  status: 200,
  failure: null,
  failure_detail: null,
  resent: false,
  request_headers: { 'content-type': 'application/json', 'service-event-type': event.type },
  response_headers: { 'content-type': 'text/plain' },
  response_body: 'ok',
}
const key = {
  id: `key_${hex}`,
  name: 'Deployments',
  hint: 'x7Qd',
  zones: [{ id: uuid, name: 'example.com', kind: 'zone' }],
  permissions: ['records:read', 'records:write'],
  limits: null,
  addresses: null,
  tsig: null,
  expires_at: null,
  created_at: day(1),
  last_used_at: day(2),
  state: 'live',
}
const secondary = {
  address: '203.0.113.53',
  port: 53,
  key_id: `key_${hex}`,
  ns_name: 'ns3.example.com',
  state: 'active',
  key_name: 'Secondaries',
  key_expires_at: null,
  notified_at: day(2),
  notify_outcome: 'acknowledged',
  read_at: day(2),
}
const manager = { account: uuid, email: 'grace@example.org', state: 'accepted', since: day(1), expires_at: null }
const invited = { ...manager, account: null, state: 'invited', expires_at: day(8) }
const registrantType = {
  name: 'registrant_type',
  label: 'Type of registrant',
  required: true,
  pattern: null,
  values: ['person', 'organization'],
}

/** Objects by the name of their schema. */
export const objects: Readonly<Record<string, Json>> = {
  Account: { id: accountId, email, name: 'Ada Obi', email_confirmed: true, two_factor: true, created_at: day(1) },
  Actor: actor,
  AcmeDnsAccount: {
    fulldomain: '_acme-challenge.www.example.com',
    subdomain: 'www.example.com',
    username: `key_${hex}`,
    password: 'svc_live_YOUR_KEY',
    server_url: 'https://dns.example.net/acme-dns',
    allowfrom: [],
  },
  ApiKey: key,
  AuditEntry: {
    at: day(1),
    actor,
    source: 'dashboard',
    action: 'records.changed',
    zone: 'example.com',
    domain: null,
    summary: 'Changed www.example.com A.',
    request_id: `req_${hex}`,
    address: '192.0.2.53',
  },
  Availability: { name: 'alice.free.example', available: true, reason: null, message: null, parents: ['free.example'] },
  ChangeResult: dryRun,
  CheckedName: {
    name: 'shop.test',
    available: true,
    reason: null,
    message: null,
    premium: false,
    register_kobo: 1_500_000,
    renew_kobo: 1_500_000,
    transfer_kobo: 1_500_000,
  },
  ChecklistItem: {
    id: 'spf',
    title: 'SPF record',
    state: 'todo',
    detail: 'There is no SPF record.',
    fix: 'Add a TXT record that lists the servers that send mail for example.com.',
  },
  Checkout: { url: 'https://checkout.example.com/0123456789' },
  Contact: contact,
  ContactField: registrantType,
  Credit: { currency: 'NGN', balance_kobo: 2_000_000, reserved_kobo: 500_000, available_kobo: 1_500_000 },
  CreditEntry: {
    at: day(1),
    kind: 'grant',
    amount_kobo: 2_000_000,
    balance_kobo: 2_000_000,
    order_id: null,
    note: 'A refund for a failed registration.',
  },
  Delegation: {
    state: 'live',
    since: day(2),
    parent_nameservers: nameservers,
    registry_nameservers: nameservers,
    expected: nameservers,
    checked_at: day(3),
    failure: null,
  },
  DeletedZone: { id: uuid, name: 'example.com', unicode_name: 'example.com', deleted_at: day(1), erased_at: day(8) },
  Diff: { changes },
  Domain: domain,
  DomainChange: { name: 'shop.test', locked: true },
  DomainInvitation: { id: `inv_${hex}`, domain: 'shop.test', inviter: email, created_at: day(1), expires_at: day(8) },
  DomainManager: manager,
  DryRun: dryRun,
  Error: {
    error: {
      code: 'not_found',
      message: errorMessages.not_found,
      request_id: `req_${hex}`,
    },
  },
  ErrorCode: 'not_found',
  Event: event,
  EventInFull: { ...event, body: JSON.stringify(event) },
  ImportDryRun: imported,
  ImportResult: imported,
  Invitation: { id: `inv_${hex}`, zone: 'example.com', inviter: email, created_at: day(1), expires_at: day(8) },
  Manager: manager,
  Order: order,
  OrderDetails: orderDetails,
  OrderDryRun: { ...orderDetails, id: '', url: '' },
  ConnectRequest: {
    provider: 'Example',
    provider_id: 'example.net',
    service: 'Example website',
    service_id: 'website',
    on_behalf_of: null,
    domain: 'example.com',
    host: '',
    signed: true,
    phishing_warning: false,
    return_urls: {
      applied: 'https://example.net/done?state=4711',
      cancelled: 'https://example.net/done?state=4711&error=access_denied&error_description=user_cancel',
      invalid: 'https://example.net/done?state=4711&error=invalid_request',
      denied: 'https://example.net/done?state=4711&error=access_denied',
    },
    token: 'AUd4R2…',
  },
  PayLink: { url: 'https://dashboard.example.com/app/pay/0123456789', expires_at: day(8), expired: false },
  PayPage: {
    kind: 'register',
    name: 'shop.test',
    years: 1,
    ordered_by: 'Ada Obi',
    due_kobo: 1_500_000,
    state: 'open',
    begun: false,
    decline_reason: null,
    expires_at: day(8),
  },
  Preset: {
    id: 'netlify.com.website',
    provider: 'netlify.com',
    service: 'website',
    title: 'Netlify website',
    description: 'A website at Netlify.',
    parameters: [{ name: 'site', label: 'Name of the site at Netlify', example: 'my-site', required: true }],
    records: [{ name: 'www', type: 'CNAME', ttl: null, record: '%site%.netlify.app.', group: null }],
  },
  PresetResult: { ...dryRun, diff: { changes: preset } },
  PromoCheck: {
    code: 'SPRING',
    valid: true,
    reason: null,
    message: null,
    percent: 10,
    fixed_kobo: null,
    amount_kobo: 1_500_000,
    promo_kobo: 150_000,
  },
  Propagation: {
    serial: 1_764_150_001,
    replicated: true,
    nameservers: nameservers.map((name, i) => ({
      name,
      address: `192.0.2.${53 + i}`,
      serial: 1_764_150_001,
      in_sync: true,
      latency_ms: 1.8,
      checked_at: day(1),
      error: null,
    })),
    secondaries: [
      {
        address: '203.0.113.53:53',
        ns_name: 'ns3.example.com',
        serial: 1_764_150_001,
        in_sync: true,
        latency_ms: 11.2,
        error: null,
      },
    ],
    resolvers: [{ name: 'Example DNS', address: '198.51.100.1', answer: ['192.0.2.1'], ttl: 1800, in_sync: true }],
  },
  Quote: {
    id: `quo_${hex}`,
    kind: 'register',
    name: 'shop.test',
    years: 1,
    available: true,
    premium: false,
    amount_kobo: 1_500_000,
    promo_kobo: 0,
    promo_code: '',
    renewal_kobo: 1_500_000,
    requirements: { contact: true, auth_code: false, contact_fields: [registrantType] },
    expires_at: day(1, '10:00:00'),
  },
  Registrant: person,
  Registrar: {
    domain: 'example.com',
    name: 'Example Registrar',
    url: 'https://registrar.example/',
    registered_here: false,
    checked_at: day(3),
  },
  Replayed: { replayed: true, version: 8, serial: 1_764_150_001 },
  Rrset: rrset,
  Scan: {
    state: 'done',
    created_at: day(1),
    finished_at: day(1, '09:30:15'),
    expires_at: day(1, '10:30:15'),
    progress: { questions: 97, most: 150, records: 2 },
    nameserver: 'ns1.provider.example',
    method: 'questions',
    complete: false,
    zone_file: 'example.com.\t3600\tIN\tMX\t10 mail.example.net.\nwww.example.com.\t3600\tIN\tA\t192.0.2.1\n',
    failure: null,
  },
  Secondary: secondary,
  SecondaryList: { secondaries: [secondary] },
  ScopeEntry: { id: uuid, name: 'example.com', kind: 'zone' },
  Tld: {
    tld: 'test',
    register_kobo: 1_500_000,
    renew_kobo: 1_500_000,
    transfer_kobo: 1_500_000,
    max_years: 10,
    idn: true,
    contact_fields: [registrantType],
  },
  Verification: verification,
  TsigSecret: { name: `key-${hex}`, algorithm: 'hmac-sha256', secret: 'the secret in base64' },
  Version: {
    version: 7,
    serial: 1_764_150_000,
    at: day(1),
    actor,
    source: 'dashboard',
    changes_count: 1,
    changes: null,
  },
  WebhookAttempt: attempt,
  WebhookDelivery: delivery,
  WebhookDeliveryInFull: { ...delivery, attempts: [attempt], body: JSON.stringify(event) },
  WebhookEndpoint: endpoint,
  WrittenDiff: { changes },
  WrittenRrset: rrset,
  Zone: zone,
  ZoneAvailability: { name: 'example.com', available: true, reason: null, message: null },
  ZoneChange: {
    id: uuid,
    name: 'example.com',
    unicode_name: 'example.com',
    state: 'pending',
    origin: 'verified',
    nameservers,
    verification,
  },
}

const connectLink =
  '/v2/domainTemplates/providers/example.net/services/website/apply?domain=example.com&site=my-site&state=4711'
const password = 'a phrase that only Ada knows'

/** Bodies by `<operationId>` (a request) or `<operationId> <status>` (a response). */
export const bodies: Readonly<Record<string, Json>> = {
  'approveTransferOut 202': { ...domain, change: { kind: 'approve_transfer', since: day(2) } },
  'cancelOrder 200': { ...orderDetails, status: 'cancelled', stage: null, stage_message: '', finished_at: day(2) },
  'createKey 201': {
    ...key,
    name: 'Router',
    limits: [{ zone: 'example.com', names: ['home', '*.lan'], types: ['A', 'AAAA'] }],
    last_used_at: null,
    secret: 'svc_live_…x7Qd',
  },
  'createWebhook 201': { ...endpoint, status: null, last_status: null, secret: 'whsec_…' },
  'createZone 201': pending,
  'inviteDomainManager 201': invited,
  'inviteManager 201': invited,
  'listEventTypes 200': {
    data: [{ type: 'zone.created', description: eventTypes['zone.created'] }],
    groups: ['zone.*', 'order.*'],
  },
  'recoverWebhook 202': { recovered: 3, more: false },
  'redeliver 202': { ...delivery, status: 'pending', finished_at: null },
  'revealTransferCode 200': { name: 'shop.test', transfer_code: 'aB3-xY7-qR9' },
  'rotateWebhookSecret 200': { ...endpoint, secret: 'whsec_…' },
  'setNameservers 202': deciding,
  'testWebhook 200': {
    status: 'succeeded',
    last_status: 200,
    failure: null,
    failure_detail: null,
    delivery: `dlv_${hex}`,
  },
  applyConnectRequest: { request: connectLink, token: 'AUd4R2…' },
  applyPreset: { parameters: { site: 'my-site' } },
  askForEmail: { email: 'ada@example.org', password, code: '123456' },
  changeAccount: { name: 'Ada Obi' },
  changeContact: { city: 'Ibadan' },
  changeRrsets: {
    changes: [
      { name: 'www', type: 'A', ttl: 3600, records: ['192.0.2.1', '192.0.2.2'] },
      { name: 'old', type: 'A', records: [] },
    ],
  },
  changeWebhook: { state: 'enabled' },
  checkDomains: { names: ['shop'], tlds: ['test'] },
  checkPromoCode: { code: 'SPRING', kind: 'register', name: 'shop.test', years: 1 },
  confirmEmail: { token: 'the token of the link' },
  createContact: person,
  createKey: {
    name: 'Router',
    zones: ['example.com'],
    permissions: ['records:read', 'records:write'],
    limits: [{ zone: 'example.com', names: ['home', '*.lan'], types: ['A', 'AAAA'] }],
    expires_in: '90d',
    code: '123456',
  },
  createOrder: { quote_id: `quo_${hex}`, contact_id: `con_${hex}`, auto_renew: true, expected_due_kobo: 1_500_000 },
  createQuote: { kind: 'register', name: 'shop.test', years: 1 },
  createTsig: { code: '123456' },
  createWebhook: { url: endpoint.url, events: endpoint.events, description: endpoint.description },
  deleteAccount: { password, code: '123456' },
  deleteZone: { name: 'example.com' },
  acmeDnsAccount: { zone: 'example.com', label: 'www' },
  narrowKey: { permissions: ['records:read'] },
  patchRrset: { add: ['192.0.2.2'], remove: ['192.0.2.1'] },
  readConnectRequest: { request: connectLink },
  revealTransferCode: { code: '123456' },
  rotateWebhookSecret: { overlap_hours: 24 },
  setSecondaries: { secondaries: [{ address: '203.0.113.53', key_id: `key_${hex}`, ns_name: 'ns3.example.com' }] },
  setNameservers: { nameservers: registrarServers },
  testWebhook: { type: 'zone.records_changed' },
  unlockDomain: { code: '123456' },
}

/** Bodies that are text, by `<operationId>` (a request) or `<operationId> <status>` (a response). */
export const texts: Readonly<Record<string, Json>> = {
  'exportZone 200': '$ORIGIN example.com.\n$TTL 3600\n@ IN MX 10 mail.example.com.\nwww IN A 192.0.2.1\n',
  'getReceipt 200': '<!doctype html>\n<html lang="en"><body><h1>Receipt</h1></body></html>\n',
  'getSecondaryConfig 200':
    'zone "example.com" {\n  type secondary;\n  primaries { 192.0.2.5 port 5305 key "key-0000"; };\n};\n',
  'followUpdates 200': 'data: {"kind":"records","id":"00000000-0000-4000-8000-000000000000"}\n\n',
  'getTsigConfig 200': 'key "key-0000" {\n  algorithm hmac-sha256;\n  secret "SECRET";\n};\n',
  'listAudit 200':
    'at,actor_kind,actor,source,action,zone,domain,summary,request_id,address\r\n' +
    `${day(1)},session,${email},dashboard,records.changed,example.com,,Changed www.example.com A.,req_${hex},192.0.2.53\r\n`,
  gatewayNews: { event: 'charge.success', data: { reference: `pay-${hex}` } },
  importZone: 'www 3600 IN A 192.0.2.1\n@ 3600 IN MX 10 mail.example.com.\n',
}

/** Ids by the part of the path before them. */
export const idsByPath: Readonly<Record<string, string>> = {
  'api-keys': `key_${hex}`,
  contacts: `con_${hex}`,
  'deleted-zones': uuid,
  'domain-invitations': `inv_${hex}`,
  invitations: `inv_${hex}`,
  orders: `ord_${hex}`,
  presets: 'netlify.com.website',
  events: `evt_${hex}`,
  webhooks: `whe_${hex}`,
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  checkIpPerMinute,
  filesPerMinute,
  maxChangesPerRequest,
  maxImportBytes,
  maxJsonBytes,
  maxKeptResponseBytes,
  maxPageSize,
  maxPlanZones,
  maxPublicBodyBytes,
  maxRrsetsPerRequest,
  maxSharedPlanZones,
  outsideCallsPerMinute,
  requestsPerMinute,
  usualDailyChangeBytes,
} from '@zonewright/contract'
import { entryLimits, maxNoted, ttlBounds } from '@zonewright/dns'
import { maxSessions } from '../modules/accounts/auth-rules.ts'
import { type Delays, guessDelays } from '../modules/accounts/guess-rules.ts'
import { tryLimits } from '../modules/accounts/tries.ts'
import { maxLiveKeys } from '../modules/api-keys/rules.ts'
import { doorLimits } from '../modules/dns-door/limits.ts'
import { maxUnpaidOrders, ordersPerHour } from '../modules/orders/rules.ts'
import { maxWaiting } from '../modules/records/record-writer.ts'
import { maxZoneBytes, mostAtName } from '../modules/records/rules.ts'
import { maxInvitationsADay, maxManagers } from '../modules/sharing/rules.ts'
import { maxCheckedNames } from '../modules/tlds/check-names.ts'
import { maxAttempts, maxEndpoints, maxRecovered } from '../modules/webhooks/rules.ts'
import { maxFreeSubdomains, usualZonesPerAccount } from '../modules/zones/rules.ts'
import { maxQuoted } from '../platform/bounded-text.ts'
import { Refusal } from '../platform/errors.ts'
import { connectionTimes, maxPipelined } from '../platform/http/connections.ts'
import { memoryLimits } from '../platform/http/request-limits.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(`${root}docs/customers/limits.md`, 'utf8')

/** The rows of the tables: each thing, its limit, and what happens above it. */
const lines = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm)]
  .map(([, what = '', limit = '', above = '']) => ({ what, limit, above }))
  .filter(({ what }) => what !== 'what' && what !== '---')
const rows = new Map(lines.map(({ what, limit }) => [what, limit]))
const consequences = new Map(lines.map(({ what, above }) => [what, above]))

/** A constant that its file does not export, such as `const maxBytes = 16 * 1024`. */
function constant(file: string, name: string): number {
  const source = readFileSync(`${root}${file}`, 'utf8')
  const [, text] =
    new RegExp(`\\b${name}\\b(?:: number)?(?: =|:) ([\\d_]+(?: \\* [\\d_]+)*)(?![\\d_])`).exec(source) ?? []
  if (text === undefined) assert.fail(`there is no ${name} in ${file}`)
  return text.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
}

const told = (n: number): string => n.toLocaleString('en')
const sized = (bytes: number): string =>
  bytes % 1024 ** 2 === 0 ? `${told(bytes / 1024 ** 2)} MiB` : `${told(bytes / 1024)} KiB`
const hourly = ({ most, minutes }: { most: number; minutes: number }): string => {
  assert.equal(minutes, 60)
  return `${told(most)} an hour`
}
const hosts = 'service/src/modules/dynamic-dns/update-hosts.ts'
const reader = 'packages/dns/src/zone-file-reader.ts'

/** The limits in the code. The page must have exactly these. */
const limits: Readonly<Record<string, string>> = {
  'requests with one API key': `${told(requestsPerMinute.key)} a minute`,
  'requests in one session of the dashboard': `${told(requestsPerMinute.session)} a minute`,
  'requests from one address without a valid key or session': `${told(requestsPerMinute.address)} a minute`,
  'requests from one IPv6 /48 without a valid key or session': `${told(requestsPerMinute.site)} a minute`,
  'requests from one address for its own address (`/checkip`)': `${told(checkIpPerMinute)} a minute`,
  'changes of the IPv4 addresses of one host through dynamic DNS, and of its IPv6 addresses': `${constant(hosts, 'most')} in ${constant(hosts, 'windowS') / 60} minutes`,
  'pages and files of the dashboard that one address loads': `${told(filesPerMinute)} a minute`,
  'requests of an account that check propagation, a delegation, a proof of control or a checklist, or change secondaries': `${told(outsideCallsPerMinute.dns)} a minute`,
  'requests of an account that check the availability of domain names': `${told(outsideCallsPerMinute.check)} a minute`,
  'quotes of an account': `${told(outsideCallsPerMinute.quote)} a minute`,
  'requests of an account that change a domain at its registry': `${told(outsideCallsPerMinute.registry)} a minute`,
  'requests of an account that create, change or test a webhook endpoint': `${told(outsideCallsPerMinute.receiver)} a minute`,
  'data that an account changes: bytes of request bodies': `${usualDailyChangeBytes / 1e9} GB (${told(usualDailyChangeBytes)} bytes) per UTC day. Contact support for more`,
  'large changes, exports, diffs and dry runs of an account that wait for their turn': `${told(maxWaiting)} of each kind`,
  'API keys of an account that are neither revoked nor expired': `${told(maxLiveKeys)}. Contact support for more`,
  'sessions of an account': told(maxSessions),
  'sign-ups from one address': hourly(tryLimits['sign-up-from']),
  'sign-up links to one email address': hourly(tryLimits['sign-up-mail']),
  'password resets for one email address': hourly(tryLimits['reset-mail']),
  'links to confirm a new email address, sent to one email address': hourly(tryLimits['address-mail']),
  'links to confirm a new email address, requested by one account': hourly(tryLimits['mail-by']),
  'invitations that an account sends': `${told(maxInvitationsADay)} in 24 hours`,
  'managers of a zone or a domain, including invitations': told(maxManagers),
  'wrong passwords for one account from one address': told(guessDelays['sign-in'].pair.free),
  'wrong passwords for one account from all addresses': told(guessDelays['sign-in'].account.free),
  'wrong passwords for any account from one address': told(guessDelays['sign-in'].network.free),
  'wrong two-factor codes for one account from one address': told(guessDelays.code.pair.free),
  'wrong two-factor codes for one account from all addresses': told(guessDelays.code.account.free),
  'wrong two-factor codes for any account from one address': told(guessDelays.code.network.free),
  'names in one check of domain names': told(maxCheckedNames),
  'validity of a quote': `${constant('service/src/modules/orders/rules.ts', 'quoteMinutes')} minutes`,
  'orders that one key places': `${told(ordersPerHour)} an hour`,
  'unpaid orders of an account': told(maxUnpaidOrders),
  'payment links that an account sends by email': hourly(tryLimits['pay-link-by']),
  'payment links that the service sends to one email address': hourly(tryLimits['pay-link-to']),
  'card payments that are started for one order': hourly(tryLimits['checkout-of']),
  'card payments that are started for all orders of an account': hourly(tryLimits['checkout-by']),
  'contacts of an account': told(constant('service/src/modules/contacts/write-contact.ts', 'maxContacts')),
  '[own secondaries](secondaries.md) of a zone': told(
    constant('packages/contract/src/secondaries.ts', 'maxSecondaries'),
  ),
  'zones of an account': `${told(usualZonesPerAccount)}. Contact support for more`,
  'free subdomains of an account': told(maxFreeSubdomains),
  'record sets of a zone': `${told(maxRrsetsPerRequest)}. Contact support for more`,
  'size of all names and records of a zone, which is about the size of a zone transfer': sized(maxZoneBytes),
  'record sets at one name': `${told(mostAtName.rrsets)}, and ${sized(mostAtName.bytes)} of records in total`,
  'size of a record set': `${told(constant('packages/dns/src/record-rules.ts', 'maxRrsetBytes'))} bytes, which is up to 2,285 addresses`,
  'TTL of a record set': `${told(ttlBounds.least)} to ${told(ttlBounds.most)} seconds. The default is ${told(ttlBounds.usual)}`,
  'record sets in one bulk change': told(maxChangesPerRequest),
  'record sets in a replacement of a zone, or in an import as JSON': told(maxRrsetsPerRequest),
  'zones of a plan that each have their own changes or zone file': told(maxPlanZones),
  'zones of a plan with one replacement or preset for all of them': told(maxSharedPlanZones),
  'size of the body of a plan, and of the differences in its response': `${sized(maxImportBytes)} each`,
  'maximum wait with `Prefer: wait`': `${constant('service/src/http/prefer.ts', 'mostWaitS')} seconds`,
  'changes in one [DNS update](dns-updates.md), and its prerequisites': `${told(doorLimits.changes)} of each`,
  'signed DNS queries with one API key': `${told(doorLimits.queriesPerKey)} a second`,
  'zone transfers with one API key at the same time': told(doorLimits.transfersPerKey),
  'unsigned DNS queries from one IPv4 /24 or IPv6 /56': `${told(doorLimits.unsignedPerNetwork)} a second`,
  'record sets in one request of a [PowerDNS client](powerdns.md)': told(maxRrsetsPerRequest),
  'hosts in one request for [dynamic DNS](dynamic-dns.md)': told(constant(hosts, 'maxHosts')),
  'size of an import, as a zone file or as JSON': sized(maxImportBytes),
  'one entry of a zone file, over all of its lines': `${sized(entryLimits.characters)}, ${told(entryLimits.words)} words`,
  'records of one record set in a file, including repeated records': told(
    constant('service/src/modules/records/import-zone.ts', 'maxRecordsEach'),
  ),
  'length of a `$GENERATE` line': sized(constant(reader, 'maxGenerateCharacters')),
  'output of all `$GENERATE` lines of a file': `${told(constant(reader, 'maxGenerated'))} records, ${sized(constant(reader, 'maxGeneratedCharacters'))} of text`,
  'adaptations and ignored records that the response lists': `${told(maxNoted)} of each`,
  'size of a body, other than an import': sized(maxJsonBytes),
  'size of the body of a request without a key or session': sized(maxPublicBodyBytes),
  'length of a segment of the path, such as a name': `${told(constant('service/src/platform/http/fastify.ts', 'maxParamLength'))} characters`,
  'nested lists and objects in JSON': `${told(constant('service/src/platform/http/validation.ts', 'maxDepth'))} levels`,
  'lists, objects and members in a JSON body': told(constant('service/src/platform/http/json-thread.ts', 'maxNodes')),
  'entries in a page of a list (`limit`)': told(maxPageSize),
  'length of an `Idempotency-Key`': `1 to ${constant('service/src/http/idempotency.ts', 'maxKeyLength')} characters`,
  'size of a response that the service stores for repeats with the same `Idempotency-Key`': sized(maxKeptResponseBytes),
  'errors in one response': `${told(Refusal.maxFaults)}, then "and more"`,
  'length of your input that a message quotes': `the first ${told(maxQuoted)} characters`,
  'time for the headers of a request to arrive': `${connectionTimes.headersMs / 1000} seconds`,
  'time for a whole request to arrive': `${connectionTimes.requestMs / 60_000} minutes`,
  'time for the client to read a response': `${connectionTimes.responseMs / 60_000} minutes`,
  'time for which a connection stays open between requests': `${connectionTimes.idleMs / 1000} seconds`,
  'pipelined requests that wait on one connection': told(maxPipelined),
  'webhook endpoints of an account': told(maxEndpoints),
  'attempts of a delivery': `${told(maxAttempts)}, over about 42 hours`,
  'deliveries that one `recover` resends': told(maxRecovered),
}

for (const [what, limit] of Object.entries(limits))
  test(`docs/customers/limits.md agrees with the code: ${what}`, () => assert.equal(rows.get(what), limit))

const delayedBy = ({ every, mostS }: Delays, guess: string): string => {
  const further = every === 1 ? `each further ${guess}` : `every ${every} further ${guess}s`
  return `a delay of 1 second, which doubles after ${further}, up to ${mostS / 60} minute${mostS === 60 ? '' : 's'}`
}

for (const [kind, guess] of [
  ['sign-in', 'wrong password'],
  ['code', 'wrong code'],
] as const)
  test(`the page says how long a guess is delayed: ${kind}`, () => {
    const { pair, account, network } = guessDelays[kind]
    const what = kind === 'code' ? 'wrong two-factor codes' : 'wrong passwords'
    assert.equal(consequences.get(`${what} for one account from one address`), delayedBy(pair, guess))
    assert.equal(consequences.get(`${what} for one account from all addresses`), delayedBy(account, guess))
    assert.equal(consequences.get(`${what} for any account from one address`), delayedBy(network, guess))
  })

test('the page says how many simultaneous requests are answered without waiting', () => {
  const { session, address } = memoryLimits
  const said =
    'A session may send 60 requests at once, and an address 120. After such a burst, the service answers 20 requests a second for a session and 30 for an address.'
  assert.ok(page.replaceAll('\n', ' ').includes(said))
  assert.deepEqual(
    [session.pace, address.pace],
    [
      { burst: 60, perSecond: 20 },
      { burst: 120, perSecond: 30 },
    ],
  )
})

test('every limit in memory has a row', () => {
  const figures = Object.values(limits).join('\n')
  for (const { most } of Object.values(memoryLimits)) assert.ok(figures.includes(`${told(most)} a minute`))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  filesPerMinute,
  maxChangesPerRequest,
  maxImportBytes,
  maxJsonBytes,
  maxKeptResponseBytes,
  maxPageSize,
  maxPublicBodyBytes,
  maxRrsetsPerRequest,
  outsideCallsPerMinute,
  requestsPerMinute,
  usualDailyChangeBytes,
} from '@zonewright/contract'
import { entryLimits, maxNoted, ttlBounds } from '@zonewright/dns'
import { maxSessions } from '../modules/accounts/auth-rules.ts'
import { guessDelays } from '../modules/accounts/guess-rules.ts'
import { tryLimits } from '../modules/accounts/tries.ts'
import { maxLiveKeys } from '../modules/api-keys/rules.ts'
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

/** What the table says: each thing with its limit. */
const rows = new Map(
  [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| [^|]*\|$/gm)]
    .map(([, what = '', limit = '']) => [what, limit] as const)
    .filter(([what]) => what !== 'what' && what !== '---'),
)

/** A constant that its file keeps to itself, such as `const maxBytes = 16 * 1024`. */
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
const reader = 'packages/dns/src/zone-file-reader.ts'

/** The figures as the code has them. What is missing here the page must not say of a limit, and the other way round. */
const limits: Readonly<Record<string, string>> = {
  'requests of a key': `${told(requestsPerMinute.key)} a minute, counted over the last 60 seconds`,
  'requests of a session': `${told(requestsPerMinute.session)} a minute`,
  'requests from one address without a valid key or session': `${told(requestsPerMinute.address)} a minute`,
  'the same, from all addresses of one IPv6 /48': `${told(requestsPerMinute.site)} a minute`,
  'pages and files of the dashboard, loaded from one address': `${told(filesPerMinute)} a minute`,
  'propagation, delegation checks, verification and checklists, of an account': `${told(outsideCallsPerMinute.dns)} a minute`,
  'availability checks of domain names, of an account': `${told(outsideCallsPerMinute.check)} a minute`,
  'quotes of an account': `${told(outsideCallsPerMinute.quote)} a minute`,
  'changes of domains at their registries, of an account': `${told(outsideCallsPerMinute.registry)} a minute`,
  'webhook endpoints created, changed or tested, of an account': `${told(outsideCallsPerMinute.receiver)} a minute`,
  'changes of an account: bytes of request bodies that changed something': `${usualDailyChangeBytes / 1e9} GB (${told(usualDailyChangeBytes)} bytes) per UTC day; ask us for more`,
  'orders of a key': `${told(ordersPerHour)} an hour`,
  'unpaid orders of an account': told(maxUnpaidOrders),
  'validity of a quote': `${constant('service/src/modules/orders/rules.ts', 'quoteMinutes')} minutes`,
  'live API keys of an account': `${told(maxLiveKeys)}; ask us for more`,
  'sessions of an account': told(maxSessions),
  'zones of an account': `${told(usualZonesPerAccount)}; ask us for more`,
  'free subdomains of an account': told(maxFreeSubdomains),
  'managers of a zone or a domain, including invitations': told(maxManagers),
  'invitations that an account sends': `${told(maxInvitationsADay)} in 24 hours`,
  'sign-ups from one network': hourly(tryLimits['sign-up-from']),
  'emails to one address: sign-up links; password resets; email changes': `${hourly(tryLimits['sign-up-mail'])}; ${hourly(tryLimits['reset-mail'])}; ${hourly(tryLimits['address-mail'])}`,
  'wrong passwords of one account without a delay: from one network; from all networks': `${guessDelays['sign-in'].pair.free}; ${guessDelays['sign-in'].account.free}`,
  'wrong two-factor codes of one account without a delay: from one network; from all networks': `${guessDelays.code.pair.free}; ${guessDelays.code.account.free}`,
  'wrong passwords of any accounts from one network without a delay; wrong two-factor codes': `${guessDelays['sign-in'].network.free}; ${guessDelays.code.network.free}`,
  'emails to new addresses when an account changes its email address': hourly(tryLimits['mail-by']),
  'payment links that are sent by email, of an account; to one address': `${hourly(tryLimits['pay-link-by'])}; ${hourly(tryLimits['pay-link-to'])}`,
  'card payments that are started, of an order; of an account': `${hourly(tryLimits['checkout-of'])}; ${hourly(tryLimits['checkout-by'])}`,
  'contacts of an account': told(constant('service/src/modules/contacts/write-contact.ts', 'maxContacts')),
  'record sets of a zone': `${told(maxRrsetsPerRequest)}; ask us for more`,
  'names and records of a zone, about as large as a transfer of it': sized(maxZoneBytes),
  'record sets at one name': `${told(mostAtName.rrsets)}, and ${sized(mostAtName.bytes)} of records in total`,
  'the TTL of a record set': `${told(ttlBounds.least)} to ${told(ttlBounds.most)} seconds; left out: ${told(ttlBounds.usual)}`,
  'a record set': `${told(constant('packages/dns/src/record-rules.ts', 'maxRrsetBytes'))} bytes: up to 2,285 addresses`,
  'record sets in one bulk change': told(maxChangesPerRequest),
  'record sets of a replacement, or of an import as JSON': told(maxRrsetsPerRequest),
  'an import, as a zone file or as JSON': sized(maxImportBytes),
  'one entry of a zone file, over all of its lines': `${sized(entryLimits.characters)}, ${told(entryLimits.words)} words`,
  'adaptations and ignored records that an import lists': `${told(maxNoted)} of each`,
  'records of one record set in a file, including repeated ones': told(
    constant('service/src/modules/records/import-zone.ts', 'maxRecordsEach'),
  ),
  'a `$GENERATE` line; the output of all of them in a file': `${sized(constant(reader, 'maxGenerateCharacters'))}; ${told(constant(reader, 'maxGenerated'))} records, ${sized(constant(reader, 'maxGeneratedCharacters'))} of text`,
  'any other body; a body of a call without a key or session': `${sized(maxJsonBytes)}; ${sized(maxPublicBodyBytes)}`,
  'levels of lists and objects in JSON': told(constant('service/src/platform/http/validation.ts', 'maxDepth')),
  'errors in one response; its size': `${told(Refusal.maxFaults)}, then "and more"; 64 KiB`,
  'how much of your input a message quotes': `its first ${told(maxQuoted)} characters`,
  'the time for a request to arrive: its headers; all of it': `${connectionTimes.headersMs / 1000} seconds; ${connectionTimes.requestMs / 60_000} minutes`,
  'the time to read a response': `${connectionTimes.responseMs / 60_000} minutes`,
  'how long a connection stays open between requests': `${connectionTimes.idleMs / 1000} seconds`,
  'pipelined requests that wait on one connection': told(maxPipelined),
  'a part of a path, such as a name': `${told(constant('service/src/platform/http/fastify.ts', 'maxParamLength'))} characters`,
  'a page of a list': `${told(maxPageSize)} entries (\`limit\`)`,
  'names in one check of domains': told(maxCheckedNames),
  'webhook endpoints of an account': told(maxEndpoints),
  'attempts of a delivery': `${told(maxAttempts)}, over about 42 hours`,
  'deliveries that one `recover` resends': told(maxRecovered),
  '`Prefer: wait`': `${constant('service/src/http/prefer.ts', 'mostWaitS')} seconds`,
  'an `Idempotency-Key`': `1 to ${constant('service/src/http/idempotency.ts', 'maxKeyLength')} characters`,
  'large changes, exports, diffs and dry runs of an account that wait for their turn, of each kind': told(maxWaiting),
  'a response that a repeat with its `Idempotency-Key` gets in full': sized(maxKeptResponseBytes),
}

for (const [what, limit] of Object.entries(limits))
  test(`docs/customers/limits.md says what the code holds: ${what}`, () => assert.equal(rows.get(what), limit))

test('the page says how long a guess waits at most', () => {
  const longest = ({ pair, account }: (typeof guessDelays)['sign-in' | 'code']) =>
    `up to ${pair.mostS / 60} minutes; up to ${account.mostS / 60} minute`
  assert.ok(
    page.includes(
      `without a delay: from one network; from all networks | 10; 200 | 429 \`rate_limited\` with \`Retry-After\`: after each further one, wait 1 s, 2 s, 4 s … ${longest(guessDelays['sign-in'])} |`,
    ),
  )
  assert.ok(page.includes(`the same, ${longest(guessDelays.code)}s |`))
  assert.deepEqual([guessDelays['sign-in'].network.mostS, guessDelays.code.network.mostS], [60, 60])
})

test('the page says how many requests at once are answered without waiting', () => {
  const { session, address } = memoryLimits
  const said =
    'A session may send 60 requests at once, and an address 120. Above that, a session gets 20 responses a second and an address 30'
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

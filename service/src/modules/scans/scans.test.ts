import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  axfrAnswers,
  buildResponse,
  type DomainName,
  groupRecords,
  lookup,
  type Message,
  parseMessage,
  parseName,
  parseRdata,
  parseType,
  parseZoneFile,
  Rcode,
  RrType,
  recordsOf,
  responseTo,
  toWireRecord,
  transferMessages,
  typeToText,
  Zone,
} from '@zonewright/dns'
import { startDnsServer, startRegistryDns } from '@zonewright/sandbox'
import { createAddressResolver } from '#adapters/address-resolver/index.ts'
import { createParentDns, createZoneSource } from '#adapters/dns/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, testNameservers } from '#testing/test-api.ts'
import { Scanner } from './scanner.ts'
import { usualPauseMs } from './turns.ts'

const registry = await startRegistryDns({
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  tlds: ['test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [],
})
after(() => registry.close())
const parent = { host: '127.0.0.1', port: Number(registry.dnsAddress.split(':')[1]) }
const api = await startTestApi({ parent })
const { database } = api
const account = await api.account('owner@example.net')
const key = await api.key(account)

/** A provider's nameserver: it serves one zone, records its queries, and can misbehave. */
interface Provider {
  readonly port: number
  /** `udp TYPE name`, with the time in milliseconds. */
  readonly asked: { readonly what: string; readonly atMs: number }[]
  /** Replaces its answer. */
  answer?: ((query: Message, wire: Uint8Array, over: 'udp' | 'tcp') => Uint8Array | undefined | 'usual') | undefined
  allowsTransfer: boolean
}

async function startProvider(origin: string, records: string): Promise<Provider> {
  const name = parseName(`${origin}.`)
  const text = `@ 3600 IN SOA ns.other.example. root.other.example. 1 7200 3600 1209600 300\n@ 3600 IN NS ns.other.example.\n${records}`
  const rrsets = groupRecords(parseZoneFile(text, { origin: name }).records).sort(({ type }) =>
    type === RrType.SOA ? -1 : 1,
  )
  const zone = Zone.fromRrsets(name, rrsets)
  const asked: Provider['asked'] = []
  const server = await startDnsServer('127.0.0.1:0', async (wire, over) => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (question === undefined) return undefined
    asked.push({ what: `${over} ${typeToText(question.type)} ${question.name}`, atMs: performance.now() })
    const odd = provider.answer?.(query, wire, over) ?? 'usual'
    if (odd !== 'usual') return odd
    if (question.type === RrType.AXFR) {
      if (!provider.allowsTransfer) return buildResponse(wire, responseTo(query, { rcode: Rcode.REFUSED }))
      const [message] = transferMessages(query, wire, axfrAnswers(rrsets))
      return message
    }
    const { rcode, aa, answers, authorities } = lookup(zone, question.name, question.type)
    const wired = (found: typeof answers) => found.flatMap(recordsOf).map(toWireRecord)
    return buildResponse(
      wire,
      responseTo(query, { rcode, aa, answers: wired(answers), authorities: wired(authorities) }),
    )
  })
  after(() => server.close())
  const provider: Provider = { port: Number(server.address.split(':')[1]), asked, allowsTransfer: false }
  return provider
}

const scanners: Scanner[] = []
after(() => Promise.all(scanners.map((scanner) => scanner.stop())))

function startScanner(
  { port }: { port: number },
  { mayReach = () => true, pauseMs = 5 }: { mayReach?: (at: { host: string }) => boolean; pauseMs?: number } = {},
): Scanner {
  const scanner = new Scanner({
    database,
    log: createLogger('test', 'silent'),
    metrics: createMetrics(),
    nameservers: testNameservers,
    parentDns: createParentDns(parent),
    addressResolver: createAddressResolver({ servers: [api.dns.address] }),
    zoneSource: createZoneSource(),
    mayReach,
    port,
    pauseMs,
  })
  scanners.push(scanner)
  scanner.start()
  return scanner
}

let zones = 0
/** A live zone whose domain is delegated to `ns<n>.other.example`, at an address of its own on loopback. */
async function movingZone(addresses: readonly string[] = ['127.0.0.1']) {
  const zone = await api.zone(account, `moving${++zones}.test`)
  const host = `ns${zones}.other.example`
  registry.zones.delegate(zone.name, [host])
  api.dns.set(host, 'A', addresses)
  return { ...zone, host }
}

const start = (zone: string) => api.call('POST', `/zones/${zone}/scan`, { key })
const read = (zone: string) => api.call('GET', `/zones/${zone}/scan`, { key })
async function ended(zone: string) {
  // Not through the API, because keys record each of their requests.
  const isOver = sql`
    select from zone_scans s join zones z on z.id = s.zone_id where z.name = ${zone} and s.finished_at is not null
      and not exists (select from zone_scans where zone_id = z.id and finished_at is null)`
  await eventually('the scan ends', async () => (await isOver.execute(database.db)).rows.length > 0)
  return (await read(zone)).body
}
const namesOf = (file: string): string[] => [
  ...new Set(
    file
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';'))
      .map((line) => `${line.split('\t')[0]} ${line.split('\t')[3]}`),
  ),
]

test('a transferred zone is found whole, and its file imports without faults; nothing is imported automatically', async () => {
  const zone = await movingZone()
  const provider = await startProvider(
    zone.name,
    'www 300 IN A 192.0.2.1\nodd-name 60 IN TXT "a b"\n@ 300 IN MX 10 mx.example.\n',
  )
  provider.allowsTransfer = true
  const scanner = startScanner(provider)
  const started = await start(zone.name)
  assert.deepEqual([started.status, started.body.state], [202, 'waiting'])
  const scan = await ended(zone.name)
  await scanner.stop()
  assert.deepEqual([scan.state, scan.method, scan.complete, scan.nameserver], ['done', 'transfer', true, zone.host])
  assert.deepEqual(namesOf(scan.zone_file), [`${zone.name}. MX`, `odd-name.${zone.name}. TXT`, `www.${zone.name}. A`])
  assert.equal((await api.call('GET', `/zones/${zone.name}/rrsets?name=www`, { key })).body.data.length, 0)
  const review = await api.call('POST', `/zones/${zone.name}/import?dry_run=true`, {
    key,
    body: scan.zone_file,
    headers: { 'content-type': 'text/dns' },
  })
  assert.deepEqual([review.status, review.body.errors, review.body.diff.changes.length], [200, [], 3])
})

test('without a transfer, common names are found, wildcards once, and the message limits hold', async () => {
  const zone = await movingZone()
  const provider = await startProvider(
    zone.name,
    `@ 300 IN A 192.0.2.1
@ 300 IN TXT "v=spf1 -all"
* 300 IN A 192.0.2.9
www 300 IN CNAME ${zone.name}.
mail 300 IN A 192.0.2.2
_dmarc 300 IN TXT "v=DMARC1; p=none"
google._domainkey 300 IN TXT "v=DKIM1; p=abc"
unguessable 300 IN A 192.0.2.3
`,
  )
  const scanner = startScanner(provider, { pauseMs: usualPauseMs })
  await start(zone.name)
  const scan = await ended(zone.name)
  await scanner.stop()
  assert.deepEqual([scan.state, scan.method, scan.complete], ['done', 'questions', false])
  assert.deepEqual(namesOf(scan.zone_file).sort(), [
    `*.${zone.name}. A`,
    `_dmarc.${zone.name}. TXT`,
    `google._domainkey.${zone.name}. TXT`,
    `mail.${zone.name}. A`,
    `${zone.name}. A`,
    `${zone.name}. TXT`,
    `www.${zone.name}. CNAME`,
  ])
  assert.ok(provider.asked.length <= 150, `${provider.asked.length} messages`)
  assert.equal(scan.progress.questions, provider.asked.length)
  assert.equal(provider.asked.filter(({ what }) => what.includes(' AXFR ')).length, 1)
  const most = Math.max(
    ...provider.asked.map(
      ({ atMs }) => provider.asked.filter((one) => one.atMs >= atMs && one.atMs < atMs + 1_000).length,
    ),
  )
  assert.ok(most <= 10, `${most} messages in a second`)
})

test('a zone signed with NSEC is walked, and found whole', async () => {
  const zone = await movingZone()
  const at = `${zone.name}.`
  const provider = await startProvider(
    zone.name,
    `@ 300 IN A 192.0.2.1
@ 300 IN NSEC hidden.${at} A NS SOA RRSIG NSEC
hidden 300 IN TXT "found"
hidden 300 IN NSEC ${at} TXT RRSIG NSEC
`,
  )
  const scanner = startScanner(provider)
  await start(zone.name)
  const scan = await ended(zone.name)
  await scanner.stop()
  assert.deepEqual([scan.state, scan.complete], ['done', true])
  assert.deepEqual(namesOf(scan.zone_file), [`${at} A`, `hidden.${at} TXT`])
  assert.ok(provider.asked.length < 15)
})

test('a hostile nameserver does no harm: foreign names, endless NSEC chains, truncated answers and garbage', async () => {
  const zone = await movingZone()
  const provider = await startProvider(zone.name, '@ 300 IN A 192.0.2.1\n')
  let made = 0
  provider.answer = (query, wire, over) => {
    const [question] = query.questions
    if (question === undefined || question.type === RrType.SOA) return 'usual'
    if (question.type === RrType.AXFR) return new Uint8Array(40).fill(0xff)
    if (over === 'udp' && question.type === RrType.MX)
      return buildResponse(wire, responseTo(query, { aa: true, tc: true }))
    const record = (name: string, type: string, data: string) =>
      toWireRecord({ name: parseName(name), type: parseType(type), ttl: 1, data: parseRdata(parseType(type), data) })
    const next = `n${String(++made).padStart(6, '0')}.${zone.name}.`
    if (question.type === RrType.NSEC)
      return buildResponse(
        wire,
        responseTo(query, { aa: true, answers: [record(question.name, 'NSEC', `${next} A NSEC`)] }),
      )
    if (made % 9 === 0) return wire.map((byte, i) => (i < 2 ? byte : 0xc0))
    const answers = [
      record('bank.example.', 'A', '192.0.2.66'),
      record(`x.${zone.name}.`, 'A', `192.0.2.${made % 250}`),
    ]
    return buildResponse(wire, responseTo(query, { aa: true, answers }))
  }
  const scanner = startScanner(provider)
  await start(zone.name)
  const scan = await ended(zone.name)
  await scanner.stop()
  assert.equal(scan.state, 'done')
  assert.equal(scan.complete, false)
  assert.ok(provider.asked.length <= 150, `${provider.asked.length} messages`)
  assert.doesNotMatch(scan.zone_file, /bank\.example/)
  assert.ok(
    provider.asked.some(({ what }) => what === `tcp MX ${zone.name}.`),
    'a cut answer is asked for over TCP',
  )
})

test('a nameserver that falls silent ends the scan with what was found, and one that never answers fails it', async () => {
  const zone = await movingZone()
  const provider = await startProvider(zone.name, '@ 300 IN A 192.0.2.1\n')
  provider.answer = (query) =>
    provider.asked.length > 4 && query.questions[0]?.type !== RrType.AXFR ? undefined : 'usual'
  const scanner = startScanner(provider)
  await start(zone.name)
  const scan = await ended(zone.name)
  await scanner.stop()
  assert.deepEqual([scan.state, scan.complete, namesOf(scan.zone_file)], ['done', false, [`${zone.name}. A`]])

  const silent = await movingZone()
  provider.answer = () => undefined
  const other = startScanner(provider)
  await start(silent.name)
  const failed = await ended(silent.name)
  await other.stop()
  assert.deepEqual([failed.state, failed.failure.code, failed.zone_file], ['failed', 'no_answer', null])
})

test('an address that is not public is not queried; a domain that is here or nowhere fails with a sentence', async () => {
  const zone = await movingZone(['10.0.0.1'])
  const here = await movingZone()
  registry.zones.delegate(here.name, testNameservers)
  const nowhere = await movingZone()
  registry.zones.delegate(nowhere.name, [])
  const provider = await startProvider(zone.name, '')
  const scanner = startScanner(provider, { mayReach: ({ host }) => host !== '10.0.0.1' })
  const codes: string[] = []
  for (const { name } of [zone, here, nowhere]) {
    await start(name)
    const { failure } = await ended(name)
    codes.push(failure.code)
    assert.match(failure.message, /\.$/)
  }
  await scanner.stop()
  assert.deepEqual(codes, ['no_address', 'delegated_here', 'not_delegated'])
  assert.deepEqual(provider.asked, [])
})

test('two scans of the same nameserver run one after the other, even in two workers', async () => {
  const [one, two] = [await movingZone(), await movingZone()]
  const provider = await startProvider(one.name, '@ 300 IN A 192.0.2.1\n')
  const other = await startProvider(two.name, '@ 300 IN A 192.0.2.1\n')
  provider.answer = (query, wire) => {
    // By its address, it is one server for both zones.
    if (!query.questions[0]?.name.endsWith(`${two.name}.`)) return 'usual'
    other.asked.push({ what: String(query.questions[0]?.name), atMs: performance.now() })
    const found = { rcode: Rcode.NOERROR, aa: true }
    if (query.questions[0]?.type !== RrType.SOA)
      return buildResponse(wire, responseTo(query, { ...found, rcode: Rcode.NXDOMAIN }))
    const soa = parseRdata(RrType.SOA, 'ns. root. 1 2 3 4 5')
    const answers = [toWireRecord({ name: `${two.name}.` as DomainName, type: RrType.SOA, ttl: 60, data: soa })]
    return buildResponse(wire, responseTo(query, { ...found, answers }))
  }
  const workers = [startScanner(provider), startScanner(provider)]
  await Promise.all([start(one.name), start(two.name)])
  const scans = [await ended(one.name), await ended(two.name)]
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(
    scans.map(({ state }) => state),
    ['done', 'done'],
  )
  const isOfTwo = provider.asked.map(({ what }) => what.endsWith(`${two.name}.`))
  const changes = isOfTwo.filter((of, i) => i > 0 && of !== isOfTwo[i - 1]).length
  assert.equal(changes, 1, 'their questions are not mixed')
})

test('a scan whose worker ends in the middle fails as interrupted, and another may start immediately', async () => {
  const zone = await movingZone()
  const provider = await startProvider(zone.name, '@ 300 IN A 192.0.2.1\n')
  const scanner = startScanner(provider, { pauseMs: usualPauseMs })
  await start(zone.name)
  await eventually('it runs', async () => provider.asked.length > 3)
  await scanner.stop()
  const scan = (await read(zone.name)).body
  assert.deepEqual([scan.state, scan.failure.code], ['failed', 'interrupted'])
  assert.equal((await start(zone.name)).status, 202)
  // A worker that was killed: it has claimed the scan, and its lease has ended.
  await sql`
    update zone_scans set state = 'running', due_at = app_now() - interval '1 second', questions = 7
    where zone_id = ${zone.id} and state = 'waiting'`.execute(database.db)
  const next = startScanner(provider)
  const asked = provider.asked.length
  const failed = await ended(zone.name)
  await next.stop()
  assert.deepEqual([failed.state, failed.failure.code, provider.asked.length], ['failed', 'interrupted', asked])
})

test('a zone is scanned once in ten minutes, an account starts twenty scans an hour, and a result is kept for an hour', async () => {
  const owner = await api.account('busy@example.net')
  const its = await api.key(owner)
  const of = async (n: number) => (await api.zone(owner, `busy${n}.test`)).name
  const first = await of(0)
  const begin = (name: string) => api.call('POST', `/zones/${name}/scan`, { key: its })
  const stateOfFirst = async () => (await api.call('GET', `/zones/${first}/scan`, { key: its })).body.state
  assert.equal(await stateOfFirst(), 'none')
  assert.equal((await begin(first)).status, 202)
  const [refused] = await Promise.all([begin(first), begin(first)])
  assert.deepEqual([refused?.status, refused?.body.error.code], [429, 'rate_limited'])
  assert.ok(Number(refused?.headers['retry-after']) > 590)
  for (let n = 1; n < 20; n++) assert.equal((await begin(await of(n))).status, 202)
  const tooMany = await begin(await of(20))
  assert.equal(tooMany.status, 429)
  assert.ok(Number(tooMany.headers['retry-after']) > 3_500)
  await sql`update zone_scans set state = 'done', due_at = null, finished_at = app_now() where account_id = ${owner}`.execute(
    database.db,
  )
  assert.equal(await stateOfFirst(), 'done')
  await moveClock(database, '61 minutes')
  assert.equal(await stateOfFirst(), 'none')
  assert.equal((await begin(first)).status, 202)
})

test('a zone without proof of control is not scanned', async () => {
  const { body } = await api.call('POST', '/zones', { key, body: { name: 'unproven.test' } })
  const refused = await start(body.id)
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict'])
})

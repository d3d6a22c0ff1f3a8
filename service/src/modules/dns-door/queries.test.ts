// Queries and transfers of the DNS door.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  axfrQuery,
  buildMessage,
  ixfrQuery,
  type Message,
  parseMessage,
  parseName,
  Rcode,
  rdataToText,
  type TransferOutcome,
  TransferReader,
  TsigSession,
  toSerial,
  typeToText,
} from '@zonewright/dns'
import { hmac, unixSeconds } from '#modules/primary/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { add, clientEdns, question, readAnswer, signed, startTestDoor, updateOf } from '#testing/dns-door/test-door.ts'
import { lines, soaOfSerial } from '#testing/primary/test-secondary.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const door = await startTestDoor(api)
const client = await door.connect()
const owner = await api.account('owner@example.net')
await api.zone(owner, 'example.com')
await api.zone(await api.account('stranger@example.net'), 'stranger.example')
const key = await door.key(owner)
const limited = await door.key(owner, {
  picks: ['example.com'],
  limits: [{ zone: 'example.com', names: ['home', '@'], types: ['A'] }],
  permissions: ['records:read', 'records:write'],
})
const acme = await door.key(owner, { permissions: ['acme:dns01'] })
const records: [name: string, type: string, value: string][] = [
  ['www', 'A', '192.0.2.1'],
  ['alias', 'CNAME', 'second.example.com.'],
  ['second', 'CNAME', 'www.example.com.'],
  ['out', 'CNAME', 'www.example.net.'],
  ['loop', 'CNAME', 'loop.example.com.'],
  ['a.deep', 'A', '192.0.2.2'],
  ['q.x.y', 'A', '192.0.2.9'],
  ['*.wild', 'TXT', '"wild"'],
  ['cut', 'NS', 'ns.cut.example.com.'],
  ['ns.cut', 'A', '192.0.2.3'],
  ['home', 'A', '192.0.2.4'],
  ['home', 'TXT', '"hidden"'],
  ['_acme-challenge', 'TXT', '"token"'],
]
// As a primary enters them at its start: transfers name them.
await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:9', 0), ('ns2.zonewright.test', '127.0.0.1:9', 1)`.execute(
  api.database.db,
)
await sql`update nameservers set lagging_since = app_now()`.execute(api.database.db)
const changes = records.map(([name, type, value]) => add(`${name}.example.com`, type, value))
assert.equal((await client.ask(updateOf('example.com', changes), key.tsig)).rcode, Rcode.NOERROR)

const printed = (section: Message['answers']): string[] =>
  section.map(({ name, type, data }) =>
    typeToText(type) === 'SOA' ? `${name} SOA` : `${name} ${typeToText(type)} ${rdataToText(type, data)}`,
  )
const answerTo = async (name: string, type: string, by = key) => {
  const { rcode, reasons, message } = await client.ask(question(name, type), by.tsig)
  return {
    rcode,
    reasons,
    aa: message.aa,
    answers: printed(message.answers),
    authorities: printed(message.authorities),
  }
}

test('anyone can query the SOA and NS of a zone, and find its apex from below', async () => {
  const soa = (await client.askUnsigned(question('example.com.', 'SOA'))).message
  assert.deepEqual([soa.rcode, soa.aa, printed(soa.answers)], [Rcode.NOERROR, true, ['example.com. SOA']])
  const ns = (await client.askUnsigned(question('example.com.', 'NS'))).message
  assert.deepEqual(printed(ns.answers), [
    'example.com. NS ns1.zonewright.test.',
    'example.com. NS ns2.zonewright.test.',
  ])
  for (const name of ['_acme-challenge.www.example.com.', 'nothing.example.com.', 'ns.cut.example.com.'])
    for (const type of ['SOA', 'NS']) {
      const { message } = await client.askUnsigned(question(name, type))
      assert.deepEqual([message.rcode, message.aa, message.answers], [Rcode.NOERROR, true, []], name)
      assert.deepEqual(printed(message.authorities), ['example.com. SOA'])
    }
})

test('refuses other unsigned queries, and those for zones that are not here', async () => {
  for (const [name, type] of [
    ['www.example.com.', 'A'],
    ['example.com.', 'ANY'],
    ['example.com.', 'AXFR'],
    ['example.com.', 'IXFR'],
    ['example.net.', 'SOA'],
    ['com.', 'NS'],
    ['.', 'SOA'],
  ] as const)
    assert.equal((await client.askUnsigned(question(name, type))).rcode, Rcode.REFUSED, `${name} ${type}`)
})

test('an unsigned answer has at most 512 bytes, whatever size the client allows', async () => {
  const nameservers = Array.from({ length: 8 }, (_, i) => ({
    name: `ns${i}.${`${i}`.repeat(60)}.zonewright.test`,
    host: '127.0.0.1',
    port: 9,
  }))
  const configuration = { ...api.parts.configuration, nameservers }
  const large = await startTestDoor({ ...api, parts: { ...api.parts, configuration } })
  const wire = buildMessage({ ...question('example.com.', 'NS'), id: 7, edns: { ...clientEdns, udpSize: 4096 } })
  const answer = await large.sendDatagram(wire)
  assert.ok(answer.length <= 512, `${answer.length}`)
  assert.equal(parseMessage(answer).tc, true)
})

test('the NS records include the names of secondaries, all of them over TCP', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `${'n'.repeat(60)}.s${i}.${'d'.repeat(60)}.test`)
  const named = await api.zone(owner, 'named.example.com')
  await sql`update zones set secondary_names = ${names}::text[] where id = ${named.id}`.execute(api.database.db)
  const asked = question('named.example.com.', 'NS')
  const { message } = await client.askUnsigned(asked)
  const signedAnswer = await client.ask(asked, key.tsig)
  for (const { tc, answers } of [message, signedAnswer.message]) assert.deepEqual([tc, answers.length], [false, 10])
  const datagram = parseMessage(await door.sendDatagram(buildMessage({ ...asked, id: 8, edns: clientEdns })))
  assert.equal(datagram.tc, true)
})

test('a signed query gets the same answer as from the nameservers', async () => {
  const rows: [name: string, type: string, rcode: number, answers: string[], authorities: string[]][] = [
    ['www.example.com.', 'A', Rcode.NOERROR, ['www.example.com. A 192.0.2.1'], []],
    ['www.example.com.', 'MX', Rcode.NOERROR, [], ['example.com. SOA']],
    ['nothing.example.com.', 'A', Rcode.NXDOMAIN, [], ['example.com. SOA']],
    ['deep.example.com.', 'A', Rcode.NOERROR, [], ['example.com. SOA']],
    // One rrset shows that both names exist.
    ['x.y.example.com.', 'A', Rcode.NOERROR, [], ['example.com. SOA']],
    ['x.wild.example.com.', 'TXT', Rcode.NOERROR, ['x.wild.example.com. TXT "wild"'], []],
    [
      'alias.example.com.',
      'A',
      Rcode.NOERROR,
      [
        'alias.example.com. CNAME second.example.com.',
        'second.example.com. CNAME www.example.com.',
        'www.example.com. A 192.0.2.1',
      ],
      [],
    ],
    ['out.example.com.', 'A', Rcode.NOERROR, ['out.example.com. CNAME www.example.net.'], []],
    ['loop.example.com.', 'A', Rcode.NOERROR, ['loop.example.com. CNAME loop.example.com.'], []],
    ['x.cut.example.com.', 'A', Rcode.NOERROR, [], ['cut.example.com. NS ns.cut.example.com.']],
  ]
  for (const [name, type, rcode, answers, authorities] of rows) {
    const found = await answerTo(name, type)
    assert.deepEqual([found.rcode, found.answers, found.authorities], [rcode, answers, authorities], `${name} ${type}`)
  }
  const glue = await client.ask(question('x.cut.example.com.', 'A'), key.tsig)
  assert.deepEqual(printed(glue.message.additionals), ['ns.cut.example.com. A 192.0.2.3'])
})

test('a signed query for a zone that the key does not cover is refused, except for SOA and NS', async () => {
  assert.equal((await answerTo('www.stranger.example.', 'A')).rcode, Rcode.REFUSED)
  assert.equal((await answerTo('nowhere.example.', 'A')).rcode, Rcode.REFUSED)
  assert.equal((await answerTo('_acme-challenge.stranger.example.', 'SOA')).rcode, Rcode.NOERROR)
})

test('a key that cannot read the whole zone gets what it may read, and learns nothing else', async () => {
  assert.deepEqual((await answerTo('home.example.com.', 'A', limited)).answers, ['home.example.com. A 192.0.2.4'])
  const refused = 'In example.com, this key is limited to these records: home, @ (A).'
  for (const [name, type] of [
    ['home.example.com.', 'TXT'],
    ['www.example.com.', 'A'],
    ['nothing.example.com.', 'A'],
    ['home.example.com.', 'ANY'],
  ] as const)
    assert.deepEqual((await answerTo(name, type, limited)).reasons, [refused], `${name} ${type}`)
  assert.deepEqual((await answerTo('example.com.', 'A', limited)).answers, [])
  assert.deepEqual((await answerTo('_acme-challenge.example.com.', 'TXT', acme)).answers, [
    '_acme-challenge.example.com. TXT "token"',
  ])
  assert.match(
    (await answerTo('www.example.com.', 'A', acme)).reasons[0] ?? '',
    /only TXT records named _acme-challenge/,
  )
  assert.equal((await answerTo('_acme-challenge.www.example.com.', 'SOA', acme)).rcode, Rcode.NOERROR)
})

test('an answer that is too long for UDP is truncated, and complete over TCP', async () => {
  const texts = Array.from({ length: 12 }, (_, i) =>
    add('long.example.com', 'TXT', `"${`${i}-`.repeat(200).slice(0, 200)}"`),
  )
  await client.ask(updateOf('example.com', texts), key.tsig)
  const { wire, client: session } = signed(question('long.example.com.', 'TXT'), key.tsig)
  const datagram = await door.sendDatagram(wire)
  assert.ok(datagram.length <= 1232)
  assert.deepEqual([readAnswer(datagram, session).message.tc, parseMessage(datagram).answers.length], [true, 0])
  assert.equal((await answerTo('long.example.com.', 'TXT')).answers.length, 12)
})

test('an ALIAS is answered with its addresses, excludes A, AAAA and CNAME, and is withdrawn when its name is deleted', async () => {
  api.dns.set('host.example.net', 'A', ['93.184.216.9'], { ttl: 60 })
  const body = { ttl: 300, records: ['host.example.net.'] }
  const put = await api.call('PUT', '/zones/example.com/rrsets/lb/ALIAS', { key: key.secret, body })
  assert.equal(put.status, 201)
  assert.deepEqual((await answerTo('lb.example.com.', 'A')).answers, ['lb.example.com. A 93.184.216.9'])
  assert.deepEqual((await answerTo('lb.example.com.', 'ANY')).answers, ['lb.example.com. A 93.184.216.9'])
  for (const [type, value] of [
    ['A', '192.0.2.1'],
    ['AAAA', '2001:db8::1'],
    ['CNAME', 'other.example.net.'],
  ] as const) {
    const { rcode, reasons } = await client.ask(updateOf('example.com', [add('lb.example.com', type, value)]), key.tsig)
    assert.equal(rcode, Rcode.REFUSED, type)
    assert.match(reasons[0] ?? '', /^lb\.example\.com has (an )?ALIAS /, type)
  }
  const removal = { kind: 'delete-name', name: parseName('lb.example.com.') } as const
  assert.equal((await client.ask(updateOf('example.com', [removal]), key.tsig)).rcode, Rcode.NOERROR)
  const { rows } = await sql<{ removed: { name: string; type: string; records: string[] }[] }>`
    select j.removed from zone_journal j join zones z on z.id = j.zone_id
    where z.name = 'example.com' order by j.to_serial desc limit 1`.execute(api.database.db)
  const [{ removed } = { removed: [] }] = rows
  assert.deepEqual(
    removed.map(({ name, type, records }) => [name, type, records]),
    [['lb.example.com', 'A', ['93.184.216.9']]],
  )
  assert.deepEqual((await answerTo('lb.example.com.', 'A')).rcode, Rcode.NXDOMAIN)
})

test('a network may send 200 unsigned queries a second; more are refused over TCP, and signed ones are answered', async () => {
  const flooded = await startTestDoor(api)
  const flooding = await flooded.connect()
  const unsigned = Array.from({ length: 1_000 }, () => flooding.askUnsigned(question('example.com.', 'SOA')))
  assert.equal((await flooding.ask(question('www.example.com.', 'A'), key.tsig)).rcode, Rcode.NOERROR)
  const answers = await Promise.all(unsigned)
  const refused = answers.filter(({ rcode }) => rcode === Rcode.REFUSED)
  const answered = answers.filter(({ rcode }) => rcode === Rcode.NOERROR).length
  assert.equal(answered + refused.length, answers.length)
  // A second may end while they arrive.
  assert.ok(answered >= 200 && answered <= 600, `${answered} were answered`)
  assert.match(refused[0]?.reasons[0] ?? '', /too many unsigned messages/)
  await flooded.stop()
})

/** Transfers a zone with a key, and resolves with the outcome, or the response code of a refusal. */
async function transfer(
  query: (id: number) => Message,
  origin: string,
  kind: 'axfr' | 'ixfr',
  by = key,
  have?: number,
) {
  const connection = await door.connect()
  const id = 4711
  const session = new TsigSession(by.tsig, hmac)
  const reader = new TransferReader(parseName(origin), kind, have === undefined ? undefined : toSerial(have))
  const wire = session.sign(buildMessage({ ...query(id), edns: clientEdns }), unixSeconds())
  try {
    return await new Promise<TransferOutcome | string>((resolve, reject) => {
      connection.onEach(wire, (answer) => {
        try {
          session.verify(answer, unixSeconds())
          const { rcode, reasons, message } = readAnswer(answer)
          if (rcode !== Rcode.NOERROR) return resolve(`${rcode} ${reasons.join()}`)
          const outcome = reader.feed(message)
          if (outcome !== undefined) resolve(outcome)
        } catch (error) {
          reject(error)
        }
      })
    })
  } finally {
    connection.close()
  }
}

test('a transfer contains all records of a zone, signed', async () => {
  const outcome = await transfer((id) => axfrQuery(id, parseName('example.com.')), 'example.com.', 'axfr')
  assert.ok(typeof outcome === 'object' && outcome.kind === 'full', JSON.stringify(outcome))
  const all = outcome.rrsets.flatMap(({ name, type, ttl, data }) =>
    data.map((each) => ({ name, type, ttl, data: each })),
  )
  const expected = records.map(([name, type, value]) => `${name}.example.com. ${type} ${value}`)
  for (const line of expected) assert.ok(lines(all).includes(line), line)
})

test('an IXFR contains what changed since a serial', async () => {
  const serialOf = async () => {
    const { rows } = await sql<{ serial: number }>`select serial from zones where name = 'example.com'`.execute(
      api.database.db,
    )
    return rows[0]?.serial ?? 0
  }
  const before = await serialOf()
  await client.ask(updateOf('example.com', [add('new.example.com', 'A', '192.0.2.9')]), key.tsig)
  const origin = parseName('example.com.')
  const outcome = await transfer(
    (id) => ixfrQuery(id, origin, soaOfSerial(origin, before)),
    'example.com.',
    'ixfr',
    key,
    before,
  )
  assert.ok(typeof outcome === 'object' && outcome.kind === 'steps', JSON.stringify(outcome))
  const added = outcome.steps.flatMap((step) => lines(step.added))
  assert.ok(added.includes('new.example.com. A 192.0.2.9'))
})

test('a transfer is refused to keys that may not read all of the zone, and over UDP', async () => {
  const axfr = (zone: string) => (id: number) => axfrQuery(id, parseName(zone))
  const writeOnly = await door.key(owner, { permissions: ['records:write'] })
  for (const [by, zone, answer] of [
    [limited, 'example.com.', /^5 The key .* is limited to some record sets/],
    [writeOnly, 'example.com.', /^5 The key .* lacks the permission records:read/],
    [acme, 'example.com.', /^5 The key .* lacks the permission records:read/],
    [key, 'stranger.example.', /^9 This zone is not live here/],
    [key, 'nowhere.example.', /^9 This zone is not live here/],
  ] as const)
    assert.match(String(await transfer(axfr(zone), zone, 'axfr', by)), answer, zone)
  const { wire, client: session } = signed(axfrQuery(1, parseName('example.com.')), key.tsig)
  const { rcode, reasons } = readAnswer(await door.sendDatagram(wire), session)
  assert.deepEqual([rcode, reasons], [Rcode.REFUSED, ['Request an AXFR by TCP or TLS.']])
})

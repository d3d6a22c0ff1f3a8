import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import {
  axfrQuery,
  buildMessage,
  DnsClass,
  frame,
  ixfrQuery,
  type Message,
  parseMessage,
  parseName,
  Rcode,
  RrType,
  recordsOf,
  soaFromRdata,
  soaQuery,
  type TransferOutcome,
  TransferReader,
  TsigFault,
  TsigSession,
  Zone,
} from '@zonewright/dns'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { lines, soaOfSerial, TestSecondary, testKey } from '#testing/primary/test-secondary.ts'
import { a, plantChange, plantDeletion, plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld } from '#testing/publication/test-publication.ts'
import { openDnsServer } from './primary-server.ts'
import { hmac, unixSeconds } from './tsig.ts'

const { database, start, onEnd } = await openTestWorld()
const { address } = await start()
const secondary = await TestSecondary.connectForLong(address)
onEnd(() => secondary.close())

/** The rrsets that every zone has, at a serial. */
const apex = (zone: string, serial: number) => [
  `${zone}. NS ns1.zonewright.test.`,
  `${zone}. NS ns2.zonewright.test.`,
  `${zone}. SOA ${serial}`,
]
const zoneLines = (outcome: TransferOutcome): string[] => {
  assert.equal(outcome.kind, 'full')
  return outcome.kind === 'full' ? lines(outcome.rrsets.flatMap(recordsOf)) : []
}
const many = Array.from({ length: 50 }, (_, i) => a(`host${i}.many.test`, '192.0.2.1'))

test('an AXFR returns the account’s records, the SOA and one NS for each nameserver', async () => {
  await plantZone(database, 'whole.test', { rrsets: [a('www.whole.test', '192.0.2.1', '192.0.2.2')] })
  assert.deepEqual(zoneLines(await secondary.axfr('whole.test')), [
    ...apex('whole.test', 1_000),
    'www.whole.test. A 192.0.2.1',
    'www.whole.test. A 192.0.2.2',
  ])
})

test('the SOA names the first nameserver, and has the timers of every zone', async () => {
  await plantZone(database, 'soa.test')
  const soa = await secondary.ask(
    (id) => soaQuery(id, parseName('soa.test.')),
    ({ answers }) => answers[0] && soaFromRdata(answers[0].data),
  )
  const { mname, serial, refresh, retry, expire, minimum } = soa
  assert.deepEqual(
    { mname, serial, refresh, retry, expire, minimum },
    { mname: 'ns1.zonewright.test.', serial: 1_000, refresh: 14_400, retry: 3_600, expire: 1_209_600, minimum: 300 },
  )
})

test('an IXFR over several serials is one step, without what was added and removed in between', async () => {
  const zone = await plantZone(database, 'many.test', { rrsets: many })
  const [first = a('')] = many
  await plantChange(database, zone, { removed: [first] })
  await plantChange(database, zone, { added: [a(first.name, '192.0.2.9')] })
  await plantChange(database, zone, { removed: [a(first.name, '192.0.2.9')], added: [first] })
  await plantChange(database, zone, { added: [a('new.many.test', '192.0.2.9')] })
  const outcome = await secondary.ixfr('many.test', 1_000)
  assert.equal(outcome.kind, 'steps')
  const steps = outcome.kind === 'steps' ? outcome.steps : []
  assert.deepEqual(
    steps.map(({ removed, added }) => [lines(removed), lines(added)]),
    [[['many.test. SOA 1000'], ['many.test. SOA 1004', 'new.many.test. A 192.0.2.9']]],
  )
})

test('the steps of an IXFR lead from one AXFR to the next', async () => {
  const zone = await plantZone(database, 'applied.test', {
    rrsets: many.map(({ records }, i) => a(`h${i}.applied.test`, ...records)),
  })
  const before = await secondary.axfr('applied.test')
  await plantChange(database, zone, {
    removed: [a('h3.applied.test', '192.0.2.1')],
    added: [a('new.applied.test', '192.0.2.7')],
  })
  await plantChange(database, zone, { removed: [a('h4.applied.test', '192.0.2.1')] })
  const steps = await secondary.ixfr('applied.test', 1_000)
  assert.ok(before.kind === 'full' && steps.kind === 'steps')
  const held = Zone.fromRrsets(parseName('applied.test.'), before.rrsets)
  for (const step of steps.steps) held.apply(step)
  assert.deepEqual(lines([...held.rrsets()].flatMap(recordsOf)), zoneLines(await secondary.axfr('applied.test')))
})

test('an IXFR from the current serial, or a later one, reports no change', async () => {
  await plantZone(database, 'same.test')
  assert.equal((await secondary.ixfr('same.test', 1_000)).kind, 'unchanged')
  assert.equal((await secondary.ixfr('same.test', 1_001)).kind, 'unchanged')
})

test('an IXFR whose history is pruned is answered with the whole zone', async () => {
  const zone = await plantZone(database, 'pruned.test', {
    rrsets: many.map(({ records }, i) => a(`h${i}.pruned.test`, ...records)),
  })
  for (let i = 0; i < 3; i++) await plantChange(database, zone, { added: [a(`new${i}.pruned.test`, '192.0.2.3')] })
  await sql`delete from zone_journal where zone_id = ${zone.id} and to_serial = 1001`.execute(database.db)
  assert.equal((await secondary.ixfr('pruned.test', 1_000)).kind, 'full')
  assert.equal((await secondary.ixfr('pruned.test', 1_001)).kind, 'steps')
  assert.equal((await secondary.ixfr('pruned.test', 17)).kind, 'full')
})

test('an IXFR whose differences are larger than the zone is answered with the whole zone', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `h${i}.busy.test`)
  const zone = await plantZone(database, 'busy.test', { rrsets: names.map((name) => a(name, '192.0.2.1')) })
  for (const name of names.slice(1)) await plantChange(database, zone, { removed: [a(name, '192.0.2.1')] })
  assert.deepEqual(zoneLines(await secondary.ixfr('busy.test', 1_000)), [
    ...apex('busy.test', 1_005),
    'h0.busy.test. A 192.0.2.1',
  ])
  assert.equal((await secondary.ixfr('busy.test', 1_003)).kind, 'steps')
})

test('serials continue past 2^32', async () => {
  const beyond = 2 ** 32 + 5
  const zone = await plantZone(database, 'wrap.test', {
    serial: beyond - 6,
    rrsets: many.map(({ records }, i) => a(`h${i}.wrap.test`, ...records)),
  })
  for (let i = 0; i < 6; i++) await plantChange(database, zone, { added: [a(`new${i}.wrap.test`, '192.0.2.3')] })
  const outcome = await secondary.ixfr('wrap.test', 2 ** 32 - 1)
  assert.ok(outcome.kind === 'steps')
  assert.deepEqual([outcome.steps[0]?.from, outcome.serial, outcome.steps[0]?.added.length], [2 ** 32 - 1, 5, 7])
})

test('many queries on one connection are each answered, whichever answer is ready first', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `pipe${i}.test`)
  for (const name of names) await plantZone(database, name, { rrsets: [a(`www.${name}`, '192.0.2.1')] })
  const outcomes = await Promise.all(names.flatMap((name) => [secondary.axfr(name), secondary.ixfr(name, 1_000)]))
  assert.equal(outcomes.filter(({ kind }) => kind === 'full').length, 40)
  assert.equal(outcomes.filter(({ kind }) => kind === 'unchanged').length, 40)
})

test('a transfer that cannot be finished ends with SERVFAIL, and the connection continues to work', async () => {
  const hosts = Array.from({ length: 2_000 }, (_, i) => a(`h${i}.broken.test`, '192.0.2.1'))
  const unsendable = { name: 'zz.broken.test', type: 'SSHFP', ttl: 300, records: ['1 1 ab'] }
  const zone = await plantZone(database, 'broken.test', { rrsets: [...hosts, unsendable] })
  const rcodesOf = (query: (id: number) => Message): Promise<number[]> => {
    const rcodes: number[] = []
    return secondary.ask(query, ({ rcode }) => {
      rcodes.push(rcode)
      return rcode === Rcode.NOERROR ? undefined : rcodes
    })
  }
  const [whole, other] = await Promise.all([
    rcodesOf((id) => axfrQuery(id, parseName('broken.test.'))),
    secondary.axfr('same.test'),
  ])
  assert.deepEqual([whole[0], whole.at(-1)], [Rcode.NOERROR, Rcode.SERVFAIL])
  assert.equal(other.kind, 'full')
  await plantChange(database, zone, { removed: [unsendable] })
  assert.equal((await secondary.axfr('broken.test')).kind, 'full')
})

const tenThousand = Array.from({ length: 10_000 }, (_, i) => a(`h${i}.large.test`, `10.0.${i >> 8}.${i & 255}`))

test('a zone of 10,000 rrsets is sent in messages of nearly 16 KiB with compressed names', async () => {
  await plantZone(database, 'large.test', { rrsets: tenThousand })
  const reader = new TransferReader(parseName('large.test.'), 'axfr')
  const sizes: number[] = []
  const outcome = await secondary.ask(
    (id) => axfrQuery(id, parseName('large.test.')),
    (message, bytes) => {
      sizes.push(bytes)
      return reader.feed(message)
    },
  )
  assert.equal(outcome.kind === 'full' && outcome.rrsets.length, 10_002)
  // A compressed record contains only the label of its own name, and 16 more bytes: type, class, TTL, length, address and pointer.
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(bytes < 10_000 * ('h9999'.length + 1 + 16) + 3_000, `${bytes} bytes`)
  for (const size of sizes.slice(0, -1)) assert.ok(size > 16_300 && size < 16_600, `a message of ${size} bytes`)
})

test('small queries are answered while whole zones are sent', async () => {
  let isDone = false
  const large = Promise.all(Array.from({ length: 4 }, () => secondary.axfr('large.test'))).finally(() => {
    isDone = true
  })
  let answered = 0
  while (!isDone) {
    assert.equal((await secondary.ixfr('same.test', 1_000)).kind, 'unchanged')
    answered++
  }
  assert.ok((await large).every(({ kind }) => kind === 'full'))
  assert.ok(answered > 10, `only ${answered} answered meanwhile`)
})

test('whatever bytes arrive, over UDP or TCP, signed or not, the primary continues to answer', async () => {
  const query = buildMessage(ixfrQuery(3, parseName('same.test.'), soaOfSerial(parseName('same.test.'), 1_000)))
  const signed = new TsigSession(testKey, hmac).sign(query, unixSeconds())
  const udp = createSocket('udp4')
  const tcp = connect(address.port, address.host)
  tcp.on('error', () => undefined).resume()
  for (let i = 0; i < 500; i++) {
    const wire = Uint8Array.from(i % 2 === 0 ? signed : query)
    for (let change = 0; change <= i % 4; change++) wire[(i * 7 + change * 13) % wire.length] = (i * 31 + change) & 255
    const cut = i % 3 === 0 ? wire.subarray(0, i % wire.length) : wire
    udp.send(cut, address.port, address.host)
    tcp.write(frame(cut))
  }
  // Half a frame, and then nothing.
  tcp.end(new Uint8Array([0, 200, 1]))
  await once(tcp, 'close')
  udp.close()
  assert.equal((await secondary.ixfr('same.test', 1_000)).kind, 'unchanged')
  assert.deepEqual(lines((await askSignedByUdp(soaQuery(1, parseName('same.test.')))).answers), ['same.test. SOA 1000'])
})

test('an unsigned query is refused, whatever it requests', async () => {
  for (const query of [axfrQuery(1, parseName('whole.test.')), soaQuery(1, parseName('whole.test.'))]) {
    const rcode = await secondary.ask(
      (id) => ({ ...query, id }),
      ({ rcode }) => rcode,
      null,
    )
    assert.equal(rcode, Rcode.REFUSED)
  }
})

test('an unknown key or a wrong secret gets NOTAUTH', async () => {
  const stranger = { ...testKey, name: parseName('stranger.test.') }
  const guess = { ...testKey, secret: new Uint8Array(32) }
  for (const [key, error] of [
    [stranger, Rcode.BADKEY],
    [guess, Rcode.BADSIG],
  ] as const) {
    const wire = new TsigSession(key, hmac).sign(buildMessage(soaQuery(7, parseName('whole.test.'))), unixSeconds())
    const answer = parseMessage(await askByUdp(wire))
    assert.deepEqual([answer.rcode, answer.tsig?.error, answer.answers.length], [Rcode.NOTAUTH, error, 0])
  }
})

test('while the key is rotated, queries signed with either key get zones, and those with the second key are counted', async () => {
  await plantZone(database, 'rotated.test')
  const replacement = { ...testKey, name: parseName('replacement.test.'), secret: new Uint8Array(32).fill(9) }
  const primary = await start(undefined, { tsigKeys: [replacement, testKey] })
  const both = await TestSecondary.connect(primary.address)
  const origin = parseName('rotated.test.')
  for (const key of [replacement, testKey]) {
    const reader = new TransferReader(origin, 'axfr')
    const outcome = await both.ask(
      (id) => axfrQuery(id, origin),
      (message) => reader.feed(message),
      key,
    )
    assert.equal(outcome.kind, 'full')
  }
  const counted = await primary.metrics.getSingleMetricAsString('zonewright_tsig_fallback_queries_total')
  assert.match(counted, /^zonewright_tsig_fallback_queries_total 1$/m)
  both.close()
})

test('a signature from another time gets BADTIME, in a signed answer', async () => {
  const session = new TsigSession(testKey, hmac)
  const wire = session.sign(buildMessage(soaQuery(7, parseName('whole.test.'))), unixSeconds() - 3_600)
  const answer = await askByUdp(wire)
  assert.equal(parseMessage(answer).rcode, Rcode.NOTAUTH)
  assert.throws(
    () => session.verify(answer, unixSeconds()),
    (fault) => fault instanceof TsigFault && fault.rcode === Rcode.BADTIME,
  )
})

test('queries for zones that are not live get NOTAUTH', async () => {
  const zone = await plantZone(database, 'gone.test')
  await plantDeletion(database, zone)
  for (const name of ['gone.test', 'never.test']) {
    const origin = parseName(`${name}.`)
    for (const query of [axfrQuery(1, origin), soaQuery(1, origin), ixfrQuery(1, origin, soaOfSerial(origin, 1))]) {
      assert.equal(
        await secondary.ask(
          (id) => ({ ...query, id }),
          ({ rcode }) => rcode,
        ),
        Rcode.NOTAUTH,
      )
    }
  }
})

test('an AXFR over UDP is refused, and an IXFR that does not fit is answered with only the SOA', async () => {
  const origin = parseName('udp.test.')
  const zone = await plantZone(database, 'udp.test', {
    rrsets: many.map(({ records }, i) => a(`h${i}.udp.test`, ...records)),
  })
  await plantChange(database, zone, { added: [a('small.udp.test', '192.0.2.3')] })
  const small = await askSignedByUdp(ixfrQuery(1, origin, soaOfSerial(origin, 1_000)))
  assert.equal(small.answers.length, 5)
  const records = Array.from({ length: 40 }, (_, i) => `"${String(i).padStart(40, 'x')}"`)
  await plantChange(database, zone, { added: [{ name: 'large.udp.test', type: 'TXT', ttl: 300, records }] })
  const large = await askSignedByUdp(ixfrQuery(1, origin, soaOfSerial(origin, 1_001)))
  assert.deepEqual(lines(large.answers), ['udp.test. SOA 1002'])
  assert.equal((await askSignedByUdp(axfrQuery(1, origin))).rcode, Rcode.REFUSED)
  assert.deepEqual(lines((await askSignedByUdp(soaQuery(1, origin))).answers), ['udp.test. SOA 1002'])
})

test('a query with an OPT gets one, in the first message of a transfer and in an answer with only the SOA', async () => {
  const edns = { udpSize: 1_232, version: 0, dnssecOk: false, options: [] }
  const reader = new TransferReader(parseName('large.test.'), 'axfr')
  const opts: (number | undefined)[] = []
  await secondary.ask(
    (id) => ({ ...axfrQuery(id, parseName('large.test.')), edns }),
    (message) => {
      opts.push(message.edns?.udpSize)
      return reader.feed(message)
    },
  )
  assert.deepEqual([opts[0], ...new Set(opts.slice(1))], [1_232, undefined])
  const origin = parseName('udp.test.')
  const answersWith = async (have: number, more: Partial<Message>) => {
    const { answers, edns } = await askSignedByUdp({ ...ixfrQuery(1, origin, soaOfSerial(origin, have)), ...more })
    return [answers.length, edns?.udpSize]
  }
  assert.deepEqual(await answersWith(1_001, { edns: { ...edns, udpSize: 512 } }), [1, 1_232])
  assert.deepEqual(await answersWith(1_002, { edns }), [1, 1_232])
  assert.deepEqual(await answersWith(1_002, {}), [1, undefined])
})

test('a message that is not a query of a secondary gets NOTIMP, FORMERR or REFUSED', async () => {
  const query = soaQuery(1, parseName('whole.test.'))
  const [question] = query.questions
  assert.ok(question)
  const rcodes = await Promise.all([
    askSignedByUdp({ ...query, opcode: 5 }),
    askSignedByUdp({ ...query, questions: [] }),
    askSignedByUdp({ ...query, questions: [{ ...question, type: RrType.A }] }),
    askSignedByUdp({ ...query, questions: [{ ...question, class: DnsClass.CH }] }),
  ])
  assert.deepEqual(
    rcodes.map(({ rcode }) => rcode),
    [Rcode.NOTIMP, Rcode.FORMERR, Rcode.REFUSED, Rcode.REFUSED],
  )
  assert.equal(parseMessage(await askByUdp(new Uint8Array(12).fill(0x11))).rcode, Rcode.FORMERR)
})

async function askByUdp(wire: Uint8Array): Promise<Uint8Array> {
  const socket = createSocket('udp4')
  try {
    socket.send(wire, address.port, address.host)
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(5_000) })) as [Uint8Array]
    return answer
  } finally {
    socket.close()
  }
}

async function askSignedByUdp(query: Message): Promise<Message> {
  const session = new TsigSession(testKey, hmac)
  const answer = await askByUdp(session.sign(buildMessage(query), unixSeconds()))
  session.verify(answer, unixSeconds())
  return parseMessage(answer)
}

test('drops a datagram from port 0, because nothing can be sent there', async () => {
  const sockets: Socket[] = []
  const hear = (made: unknown): void => void sockets.push((made as { socket: Socket }).socket)
  subscribe('udp.socket', hear)
  const asked: number[] = []
  const server = await openDnsServer({
    listen: { host: '127.0.0.1', port: 0 },
    answer: async (wire) => void asked.push(wire.length),
    limits: { connections: 1, queries: 1, silence: { strangerMs: 1_000, idleMs: 1_000 } },
    log: createLogger('test', 'silent'),
  })
  unsubscribe('udp.socket', hear)
  const from = { address: '192.0.2.1', family: 'IPv4' }
  // No program can send one without root privileges.
  for (const port of [0, 53]) sockets.at(-1)?.emit('message', Buffer.alloc(12 + port), { ...from, port })
  assert.deepEqual(asked, [65])
  await server.close(0)
})

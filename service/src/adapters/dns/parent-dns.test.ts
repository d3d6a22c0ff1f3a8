import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  buildMessage,
  buildResponse,
  DnsClass,
  type Message,
  Opcode,
  parseMessage,
  parseName,
  parseRdata,
  Rcode,
  RrType,
  responseTo,
  type WireRecord,
} from '@zonewright/dns'
import { type RegistryDns, startDnsServer, startRegistryDns, startResolver } from '@zonewright/sandbox'
import fc from 'fast-check'
import type { ParentAnswer } from '#ports/parent-dns.ts'
import { createDnsResolver } from '../dns-resolver/index.ts'
import { createParentDns } from './index.ts'
import { PacketProbe } from './packet-probe.ts'
import { PacketParentDns } from './parent-dns.ts'

const ours = ['ns1.host.example', 'ns2.host.example']
const loopback = (dnsAddress: string, host = '127.0.0.1') => ({ host, port: Number(dnsAddress.split(':')[1]) })
const timeoutMs = 1_000

function record(name: string, type: RrType, text: string): WireRecord {
  return { name: parseName(name), type, class: DnsClass.IN, ttl: 5, data: parseRdata(type, text) }
}

/** One server that is both the resolver and the parent. */
function parentsAt(at: { readonly host: string; readonly port: number }, timeoutMs = 300): PacketParentDns {
  return new PacketParentDns({ resolver: at, port: at.port, mayAsk: () => true, timeoutMs })
}

const stops: (() => Promise<void>)[] = []
after(async () => {
  for (const stop of stops) await stop()
})

async function registry(listen = '127.0.0.1:0'): Promise<RegistryDns> {
  const started = await startRegistryDns({
    dnsListen: listen,
    httpListen: '127.0.0.1:0',
    tlds: ['test', 'com.test'],
    servers: [
      { name: 'a.nic.test', address: '127.0.0.1' },
      { name: 'b.nic.test', address: '127.0.0.2' },
    ],
    hosts: [],
  })
  stops.push(() => started.close())
  return started
}

/** A parent with one server, which is queried without a resolver. */
const one = await registry()
const direct = new PacketParentDns({ resolver: loopback(one.dnsAddress), mayAsk: () => true, port: 53, timeoutMs })

/** A parent of two servers, found through a resolver. */
const first = await registry()
const second = await registry(`127.0.0.2:${loopback(first.dnsAddress).port}`)
const resolver = await startResolver({
  listen: '127.0.0.1:0',
  tops: { test: first.dnsAddress, 'com.test': first.dnsAddress },
  nameservers: {},
})
stops.push(() => resolver.close())
const twoServers = {
  resolver: loopback(resolver.address),
  mayAsk: () => true,
  port: loopback(first.dnsAddress).port,
  timeoutMs,
}
const found = new PacketParentDns(twoServers)

let names = 0
const fresh = (): string => `domain${++names}.test`
const delegated: ParentAnswer = { kind: 'nameservers', nameservers: ours, isConfirmed: true }

test('returns the parent’s delegation sorted and in lower case, also two levels down', async () => {
  for (const domain of [fresh(), `shop${++names}.com.test`]) {
    one.zones.delegate(domain, ['NS2.Host.example', 'ns1.host.example'])
    assert.deepEqual(await direct.delegationOf(domain), delegated)
  }
})

test('a name that the parent does not have is missing; one without a delegation has no nameservers', async () => {
  assert.deepEqual(await direct.delegationOf(fresh()), { kind: 'missing', isConfirmed: true })
  one.zones.delegate('below.empty.test', ours)
  const empty: ParentAnswer = { kind: 'nameservers', nameservers: [], isConfirmed: true }
  assert.deepEqual(await direct.delegationOf('empty.test'), empty)
})

test('two servers of the parent, found through a resolver, must agree', async () => {
  const domain = fresh()
  first.zones.delegate(domain, ours)
  second.zones.delegate(domain, ours)
  assert.deepEqual(await found.delegationOf(domain), delegated)
  second.zones.delegate(domain, ['ns.other.example'])
  assert.deepEqual(await found.delegationOf(domain), { kind: 'no_answer', failure: 'disagree' })
  second.zones.delegate(domain, [])
  assert.deepEqual(await found.delegationOf(domain), { kind: 'no_answer', failure: 'disagree' })
})

test('an answer from only one of the parent’s servers is not confirmed', async () => {
  const domain = fresh()
  first.zones.delegate(domain, ours)
  for (const behaviour of [{ silent: true }, { rcode: 2 }, { lame: true }]) {
    second.behaviours.set(behaviour, domain)
    assert.deepEqual(await found.delegationOf(domain), { ...delegated, isConfirmed: false }, JSON.stringify(behaviour))
  }
})

test('a server of the parent counts once, however many addresses it has', async () => {
  const [one, two, other, nobody] = ['127.0.0.1', '127.0.0.4', '127.0.0.3', '127.0.0.5']
  const parent = await registry()
  const { port } = loopback(parent.dnsAddress)
  const second = await registry(`${two}:${port}`)
  await registry(`${other}:${port}`) // it has no delegation
  const domain = fresh()
  for (const { zones } of [parent, second]) zones.delegate(domain, ours)
  const said = async (a: readonly string[], b: readonly string[]): Promise<ParentAnswer> => {
    for (const [name, addresses] of [
      ['a.nic.test', a],
      ['b.nic.test', b],
    ] as const)
      parent.zones.setGlue(
        name,
        addresses.map((address) => ({ address })),
      )
    // A new instance each time, because it caches its results.
    const names = await startResolver({ listen: '127.0.0.1:0', tops: { test: parent.dnsAddress }, nameservers: {} })
    try {
      const asked = new PacketParentDns({ ...twoServers, resolver: loopback(names.address), port })
      return await asked.delegationOf(domain)
    } finally {
      await names.close()
    }
  }
  for (let n = 0; n < 10; n++) {
    assert.deepEqual(await said([one, two], [nobody]), { ...delegated, isConfirmed: false })
    // With three addresses, two random ones could both belong to the first server.
    assert.deepEqual(await said([one, two], [other]), { kind: 'no_answer', failure: 'disagree' })
  }
  assert.deepEqual(await said([one, two], []), delegated, 'it is the only one')
  assert.deepEqual(await said([one, nobody], [nobody, two]), delegated, 'another address of a silent one answers')
  assert.deepEqual(await said([one, two], [one, two]), delegated, 'two that share their addresses')
})

test('fetches an answer over TCP if it is too long for UDP', async () => {
  const domain = fresh()
  one.zones.delegate(domain, ours)
  one.behaviours.set({ truncate: true }, domain)
  assert.deepEqual(await direct.delegationOf(domain), delegated)
})

test('repeats a query after a lost datagram', async () => {
  const domain = fresh()
  one.zones.delegate(domain, ours)
  one.behaviours.set({ silent: true, times: 1 }, domain)
  assert.deepEqual(await direct.delegationOf(domain), delegated)
})

test('a parent that is silent, broken or lame gives no answer', async () => {
  const domain = fresh()
  one.zones.delegate(domain, ours)
  const failures = [
    [{ silent: true }, 'timeout'],
    [{ rcode: 2 }, 'lame'],
    [{ rcode: 5 }, 'lame'],
    [{ rcode: 3 }, 'lame'],
    [{ lame: true }, 'lame'],
  ] as const
  for (const [behaviour, failure] of failures) {
    one.behaviours.set(behaviour, domain)
    assert.deepEqual(await direct.delegationOf(domain), { kind: 'no_answer', failure }, JSON.stringify(behaviour))
  }
})

test('never queries servers that are not public, unless the resolver itself has the parent', async () => {
  const domain = fresh()
  first.zones.delegate(domain, ours)
  const guarded = createParentDns(loopback(resolver.address))
  assert.deepEqual(await guarded.delegationOf(domain), { kind: 'no_answer', failure: 'no_parent' })
  assert.deepEqual(await createParentDns(loopback(first.dnsAddress)).delegationOf(domain), delegated)
})

test('nothing is known if the resolver does not respond', async () => {
  const nobody = new PacketParentDns({ ...twoServers, resolver: { host: '127.0.0.1', port: 9 } })
  assert.deepEqual(await nobody.delegationOf(fresh()), { kind: 'no_answer', failure: 'no_parent' })
})

test('an address that this machine cannot send to counts as a silent server', async () => {
  // The broadcast address is refused before anything is sent, like an address without a route.
  const unreachable = { host: '255.255.255.255', port: 53 }
  const probe = new PacketProbe({ timeoutMs })
  const heard = await probe.ask(unreachable, { name: 'far.test.', type: 'A', recursive: true })
  assert.deepEqual(heard, { kind: 'failure', failure: 'timeout' })
  assert.deepEqual(await parentsAt(unreachable).delegationOf(fresh()), { kind: 'no_answer', failure: 'no_parent' })
})

test('ignores forged, truncated and unreadable answers, and accepts the true one over TCP', async () => {
  const domain = fresh()
  one.zones.delegate(domain, ours)
  // It responds like a server of the parent behind a device that corrupts its UDP responses.
  for (const spoil of ['id', 'cut', 'case', 'rubbish'] as const) {
    const upstream = await startDnsServer('127.0.0.1:0', async (wire, transport) => {
      const query = parseMessage(wire)
      const isParent = query.questions[0]?.name === 'test.'
      const answer = buildResponse(wire, { ...responseTo(query), ...answerAbout(query, isParent) })
      if (isParent || transport === 'tcp') return answer
      if (spoil === 'id') answer[0] = (answer[0] ?? 0) ^ 0xff
      if (spoil === 'case') for (let i = 13; i < 20; i++) answer[i] = (answer[i] ?? 0) ^ 0x20
      return spoil === 'cut'
        ? answer.subarray(0, answer.length - 3)
        : spoil === 'rubbish'
          ? wire.subarray(0, 5)
          : answer
    })
    const asked = new PacketParentDns({ ...twoServers, resolver: loopback(upstream.address), timeoutMs: 500 })
    const { kind } = await asked.delegationOf('spoiledname.test')
    // An honest server may also change the letter case. The query over TCP shows this.
    assert.equal(kind, spoil === 'case' ? 'missing' : 'no_answer', spoil)
    await upstream.close()
  }

  function answerAbout(query: ReturnType<typeof parseMessage>, isParent: boolean) {
    const { answers, authorities } = zoneAnswer(query.questions[0]?.name ?? '', query.questions[0]?.type ?? 0)
    return { aa: true, rcode: isParent ? Rcode.NOERROR : Rcode.NXDOMAIN, answers, authorities }
  }
  function zoneAnswer(name: string, type: number) {
    const looked = one.zones.lookup(name as never, type as never)
    const records = (rrsets: NonNullable<typeof looked>['answers']) =>
      rrsets.flatMap((rrset) => rrset.data.map((data) => ({ ...rrset, data, class: 1 })))
    return { answers: records(looked?.answers ?? []), authorities: records(looked?.authorities ?? []) }
  }
})

test('an answer without the question counts only as a failure code without records', async (t) => {
  let said: Partial<Message> = {}
  const server = await startDnsServer('127.0.0.1:0', async (wire) =>
    buildMessage({ ...responseTo(parseMessage(wire), { aa: true, ...said }), questions: [] }),
  )
  t.after(() => server.close())
  const probe = new PacketProbe({ timeoutMs: 200 })
  const answers = [record('forged.test.', RrType.A, '192.0.2.66')]
  const cases = [
    [{ answers }, 'timeout'],
    [{ rcode: Rcode.NXDOMAIN }, 'timeout'],
    [{ rcode: Rcode.SERVFAIL, answers }, 'timeout'],
    [{ rcode: Rcode.SERVFAIL }, 'refused'],
    [{ rcode: Rcode.FORMERR }, 'refused'],
  ] as const
  for (const [forged, failure] of cases) {
    said = forged
    const heard = await probe.ask(loopback(server.address), { name: 'forged.test.', type: 'A', recursive: false })
    assert.deepEqual(heard, { kind: 'failure', failure }, JSON.stringify(forged))
  }
})

test('parents that loop, refer in circles or list endless nameservers yield no answer, in time', async () => {
  const circles: ((name: string) => WireRecord[])[] = [
    (name) => [record(name, RrType.CNAME, name)],
    (name) => [record(name.slice(name.indexOf('.') + 1), RrType.NS, 'a.nic.test.')],
    (name) => [record(`deeper.${name}`, RrType.NS, 'a.nic.test.')],
    (name) => Array.from({ length: 60 }, (_, n) => record(name, RrType.NS, `ns${n}.host.example.`)),
  ]
  for (const [n, circle] of circles.entries()) {
    const server = await startDnsServer('127.0.0.1:0', async (wire) => {
      const query = parseMessage(wire)
      const name = query.questions[0]?.name ?? ''
      if (name === 'test.') {
        const answers = [record(name, RrType.NS, 'a.nic.test.')]
        return buildResponse(wire, responseTo(query, { aa: true, answers }))
      }
      return buildResponse(wire, responseTo(query, { authorities: circle(name) }), { maxSize: 65_535 })
    })
    const asked = new PacketParentDns({ ...twoServers, resolver: loopback(server.address) })
    assert.deepEqual(await asked.delegationOf('circle.test'), { kind: 'no_answer', failure: 'lame' }, `${n}`)
    await server.close()
  }
})

test('nameservers that delay each step up from a long name cannot delay the answer by more than a few steps', async (t) => {
  let questions = 0
  const server = await startDnsServer('127.0.0.1:0', async (wire) => {
    questions++
    await new Promise((resolve) => setTimeout(resolve, 40))
    return buildResponse(wire, responseTo(parseMessage(wire), { ra: true }))
  })
  t.after(() => server.close())
  const asked = new PacketParentDns({ ...twoServers, resolver: loopback(server.address), timeoutMs: 100 })
  const zone = `${'a.'.repeat(120)}test`
  assert.deepEqual(await asked.delegationOf(zone), { kind: 'no_answer', failure: 'no_parent' })
  assert.ok(questions < 40, `${questions} questions`)
})

/**
 * A server that is the resolver, the only server of the parent, and every other queried server. It responds as `respond` says, with records from
 * `saysOf`.
 */
async function everyServer(respond: (wire: Uint8Array, honest: Message) => Uint8Array | undefined) {
  const saysOf = (name: string, type: RrType): Partial<Message> => {
    if (name === 'test.')
      return { ra: true, answers: [record(name, type, 'a.nic.test.'), record(name, type, 'b.nic.test.')] }
    if (type === RrType.A)
      return { ra: true, answers: [record(name, type, name === 'a.nic.test.' ? '127.0.0.1' : '127.0.0.2')] }
    if (type === RrType.NS && name !== '.') return { authorities: ours.map((host) => record(name, type, `${host}.`)) }
    return type === RrType.TXT ? { ra: true, answers: [record(name, type, '"said"')] } : { ra: true }
  }
  const answer = async (wire: Uint8Array): Promise<Uint8Array | undefined> => {
    const query = parseMessage(wire)
    const { name = '', type = RrType.NS } = query.questions[0] ?? {}
    return respond(wire, responseTo(query, saysOf(name, type)))
  }
  const server = await startDnsServer('127.0.0.1:0', answer)
  const second = await startDnsServer(`127.0.0.2:${loopback(server.address).port}`, answer)
  stops.push(
    () => server.close(),
    () => second.close(),
  )
  return loopback(server.address)
}

test('a parent’s server without a known address still counts, so the other one’s answer is not confirmed', async () => {
  let failure: 'none' | 'silent' | 'missing' | { rcode: number } = 'none'
  const at = await everyServer((wire, honest) => {
    if (honest.questions[0]?.name !== 'b.nic.test.' || failure === 'none') return buildResponse(wire, honest)
    if (failure === 'silent') return undefined
    const rcode = failure === 'missing' ? Rcode.NXDOMAIN : failure.rcode
    return buildResponse(wire, { ...honest, rcode, answers: [] })
  })
  // A new instance each time, because it caches its results.
  const asked = () => parentsAt(at).delegationOf('alone.test')
  assert.deepEqual(await asked(), delegated)
  for (const each of ['silent', { rcode: Rcode.SERVFAIL }, { rcode: Rcode.REFUSED }] as const) {
    failure = each
    assert.deepEqual(await asked(), { ...delegated, isConfirmed: false }, JSON.stringify(each))
  }
  failure = 'missing'
  assert.deepEqual(await asked(), delegated, 'the other one is none: it has no second server')
})

test('a failed lookup of a server is repeated soon', async (t) => {
  let isAway = true
  const at = await everyServer((wire, honest) =>
    isAway && honest.questions[0]?.name === 'b.nic.test.' ? undefined : buildResponse(wire, honest),
  )
  const parents = parentsAt(at)
  assert.deepEqual(await parents.delegationOf('soon.test'), { ...delegated, isConfirmed: false })
  isAway = false
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 11_000)
  assert.deepEqual(await parents.delegationOf('soon.test'), delegated)
})

/** The same answer with changed records. */
function withRecords(message: Message, change: (record: WireRecord) => WireRecord): Message {
  const { answers, authorities } = message
  return { ...message, answers: answers.map(change), authorities: authorities.map(change) }
}

test('ignores records of another class, with or without data, from any server', async () => {
  let spoilt: (name: string, type: RrType) => boolean = () => false
  let spoil = (record: WireRecord): WireRecord => record
  let opcode: number = Opcode.QUERY
  const at = await everyServer((wire, honest) => {
    const { name = '', type = RrType.NS } = honest.questions[0] ?? {}
    return buildResponse(wire, spoilt(name, type) ? { ...withRecords(honest, spoil), opcode } : honest)
  })
  assert.deepEqual(await parentsAt(at).delegationOf('spoilt.test'), delegated)
  const probe = new PacketProbe({ timeoutMs: 300 })
  const texts = createDnsResolver({ servers: [at], timeoutMs: 300 })
  const ways = [
    ...[DnsClass.CH, DnsClass.NONE, DnsClass.ANY].flatMap((dnsClass) => [
      { dnsClass, isBare: false, of: Opcode.QUERY },
      { dnsClass, isBare: true, of: Opcode.QUERY },
    ]),
    { dnsClass: DnsClass.ANY, isBare: true, of: Opcode.UPDATE },
  ]
  for (const { dnsClass, isBare, of } of ways) {
    opcode = of
    spoil = (record) => ({ ...record, class: dnsClass, data: isBare ? new Uint8Array(0) : record.data })
    const about = JSON.stringify({ dnsClass, isBare, of })
    for (const isSpoilt of [
      (name: string) => name === 'test.',
      (name: string) => name.endsWith('.nic.test.'),
      (name: string) => name === 'spoilt.test.',
    ]) {
      spoilt = isSpoilt
      assert.equal((await parentsAt(at).delegationOf('spoilt.test')).kind, 'no_answer', about)
    }
    for (const type of ['NS', 'A', 'TXT']) {
      const heard = await probe.ask(at, { name: 'spoilt.test.', type, recursive: true })
      if (heard.kind === 'answer') assert.deepEqual(heard.records, [], about)
    }
    assert.notDeepEqual(await texts.texts('spoilt.test'), ['said'], about)
  }
})

test('queries never reject, whatever bytes the servers answer', async () => {
  const seed = 20261123
  const spoils = fc.sample(
    fc.record({
      /** The class of a record, and whether its data was removed. */
      dnsClass: fc.constantFrom<number>(...Object.values(DnsClass)),
      isBare: fc.boolean(),
      type: fc.constantFrom<RrType | undefined>(undefined, RrType.CNAME, RrType.SOA, RrType.DNAME, RrType.RRSIG),
      /** Bytes after the header to overwrite, and how many to cut off at the end. */
      bytes: fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 4 }),
      cut: fc.constantFrom(0, 0, 0, 1, 7),
      flags: fc.constantFrom<readonly [number, number]>([0, 0], [0, 0], [4, 0], [2, 0], [0, 3], [0, 0x80]),
    }),
    { seed, numRuns: 600 },
  )
  let turn = 0
  const at = await everyServer((wire, honest) => {
    const spoil = spoils[turn++ % spoils.length]
    // The first queries get an honest response half of the time. Otherwise, the later queries would never be sent.
    if (spoil === undefined || turn % 3 === 0) return buildResponse(wire, honest)
    const answer = buildResponse(
      wire,
      withRecords(honest, (record) => ({
        ...record,
        type: spoil.type ?? record.type,
        class: spoil.dnsClass,
        data: spoil.isBare ? new Uint8Array(0) : record.data,
      })),
    )
    answer[2] = (answer[2] ?? 0) | spoil.flags[0]
    answer[3] = (answer[3] ?? 0) | spoil.flags[1]
    for (const [place, byte] of spoil.bytes) if (12 + place < answer.length) answer[12 + place] = byte
    return answer.subarray(0, answer.length - spoil.cut)
  })
  const probe = new PacketProbe({ timeoutMs: 40 })
  const texts = createDnsResolver({ servers: [at], timeoutMs: 40 })
  const kinds = new Set<string>()
  for (let round = 0; round < 25; round++) {
    const parents = parentsAt(at, 40)
    const heard = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        await texts.texts('spoilt.test')
        for (const type of ['NS', 'A', 'SOA', 'TXT', 'CNAME'])
          await probe.ask(at, { name: 'spoilt.test.', type, recursive: true })
        return await parents.delegationOf(`n${n}.test`)
      }),
    )
    for (const { kind } of heard) kinds.add(kind)
  }
  assert.deepEqual([...kinds].sort(), ['nameservers', 'no_answer'], `seed ${seed}`)
})

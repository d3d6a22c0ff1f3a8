import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  buildMessage,
  DnsClass,
  extendedErrorsOf,
  InfoCode,
  type Message,
  notifyMessage,
  Opcode,
  parseMessage,
  parseName,
  Rcode,
  type Serial,
  TsigSession,
  tsigKeyNameOf,
  type Zone,
} from '@zonewright/dns'
import { CookieJar } from '../cookies/cookie-jar.ts'
import { SharedSecrets } from '../cookies/shared-secrets.ts'
import { nsidOption } from '../edns/fixed-option.ts'
import { RateLimiter, usualRateLimits } from '../rate-limit/rate-limiter.ts'
import { scratchBytes } from '../tables/resolver.ts'
import { Tables } from '../tables/tables.ts'
import { answerTexts, queryFor } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { testKey } from '../testing/scripted-primary.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { hmac, unixSeconds } from '../tsig.ts'
import { type AnswerParts, createAnswer } from './answer.ts'
import { Responder } from './responder.ts'
import { largestUdpBytes } from './table-responder.ts'

const longTexts = Array.from({ length: 20 }, (_, index) => `big TXT "${String(index).padStart(3, '0').repeat(60)}"`)
const heard: { origin: string; serial: Serial | undefined }[] = []
const log = keptLog()
const tables = new Tables()
publish(zoneOf('example.', 7, ['www A 192.0.2.1', 'child NS ns.child', 'ns.child A 192.0.2.9', ...longTexts]))
publish(zoneOf('child.example.', 1, ['@ TXT "inner"']))
publish(zoneOf('catalog.test.', 3, ['version TXT "2"']), true)
tables.withhold(parseName('coming.'), InfoCode.NOT_READY)
const onNotify = (origin: string, serial: Serial | undefined) => {
  heard.push({ origin, serial })
  return origin === 'example.'
}
const common = { segments: tables.segments, log, doors: { udp: 1, tcp: 2 } }
const client = new DataView(new ArrayBuffer(4))
const answer = answerWith({ keys: [testKey], onNotify })

function publish(zone: Zone, isPrivate = false): void {
  tables.publish(zone.origin, zone.rrsets(), isPrivate)
}

function answerWith(parts: Partial<AnswerParts>) {
  const from = createAnswer({ ...common, ...parts })
  return (query: Uint8Array, transport: 'udp' | 'tcp') => from(query, transport, client)
}

function reply(wire: Uint8Array, transport: 'udp' | 'tcp' = 'udp'): Message {
  const response = answer(wire, transport)
  assert.ok(response, 'answered')
  return parseMessage(response)
}

function edns(udpSize: number, version = 0): Partial<Message> {
  return { edns: { udpSize, version, dnssecOk: true, options: [] } }
}

describe('extended errors (RFC 8914)', () => {
  const asked: [string, string, number[], rcode: number][] = [
    ['www.elsewhere.', 'A', [InfoCode.NOT_AUTHORITATIVE], Rcode.REFUSED],
    ['.', 'NS', [InfoCode.NOT_AUTHORITATIVE], Rcode.REFUSED],
    ['com.', 'DS', [InfoCode.NOT_AUTHORITATIVE], Rcode.REFUSED],
    [`${'x'.repeat(63)}.`.repeat(3), 'TXT', [InfoCode.NOT_AUTHORITATIVE], Rcode.REFUSED],
    ['version.catalog.test.', 'TXT', [InfoCode.NOT_AUTHORITATIVE], Rcode.REFUSED],
    ['example.', 'AXFR', [InfoCode.PROHIBITED], Rcode.REFUSED],
    ['example.', 'IXFR', [InfoCode.PROHIBITED], Rcode.REFUSED],
    ['coming.', 'SOA', [InfoCode.NOT_READY], Rcode.SERVFAIL],
    ['www.coming.', 'A', [InfoCode.NOT_READY], Rcode.SERVFAIL],
    ['www.example.', 'A', [], Rcode.NOERROR],
    ['www.example.', 'AAAA', [], Rcode.NOERROR],
    ['nothing.example.', 'A', [], Rcode.NXDOMAIN],
    ['example.', 'MAILA', [], Rcode.NOTIMP],
  ]
  for (const [name, type, infoCodes, rcode] of asked) {
    it(`${name.slice(0, 30)} ${type}: ${infoCodes.join() || 'nothing'} with rcode ${rcode}, and nothing without EDNS`, () => {
      for (const transport of ['udp', 'tcp'] as const) {
        const response = reply(queryFor(name, type, edns(512)), transport)
        assert.equal(response.rcode, rcode)
        assert.deepEqual(
          extendedErrorsOf(response.edns),
          infoCodes.map((infoCode) => ({ infoCode, text: '' })),
        )
        assert.equal(reply(queryFor(name, type), transport).edns, undefined)
      }
    })
  }

  it('a query after a refused one gets no extended error', () => {
    reply(queryFor('www.elsewhere.', 'A', edns(1232)))
    assert.deepEqual(extendedErrorsOf(reply(queryFor('www.example.', 'A', edns(1232))).edns), [])
    assert.deepEqual(extendedErrorsOf(reply(queryFor('www.example.', 'A', edns(1232, 1))).edns), [], 'BADVERS')
  })

  it('an extended error follows the name of the server, and fits next to a signature', () => {
    const named = answerWith({ nsid: nsidOption('n'.repeat(128)), keys: [testKey] })
    const query = queryFor('www.elsewhere.', 'A', {
      edns: { udpSize: 512, version: 0, dnssecOk: false, options: [{ code: 3, data: new Uint8Array() }] },
    })
    const signed = new TsigSession(testKey, hmac).sign(query, unixSeconds())
    for (const wire of [query, signed]) {
      const response = named(wire, 'udp')
      assert.ok(response && response.length <= 512)
      const { edns } = parseMessage(response)
      assert.deepEqual(
        edns?.options.map(({ code }) => code),
        [3, 15],
      )
      assert.deepEqual(extendedErrorsOf(edns), [{ infoCode: InfoCode.NOT_AUTHORITATIVE, text: '' }])
    }
  })

  it('another class gets Not Authoritative, and an unsigned NOTIFY gets Prohibited', () => {
    const question = { name: parseName('example.'), type: 6 as Message['questions'][0]['type'], class: DnsClass.CH }
    const chaos = reply(queryFor('example.', 'SOA', { questions: [question], ...edns(512) }))
    assert.deepEqual(extendedErrorsOf(chaos.edns), [{ infoCode: InfoCode.NOT_AUTHORITATIVE, text: '' }])
    const notify = reply(buildMessage({ ...notifyMessage(5, parseName('example.')), ...edns(512) }))
    assert.deepEqual(extendedErrorsOf(notify.edns), [{ infoCode: InfoCode.PROHIBITED, text: '' }])
  })
})

describe('answers', () => {
  it('a name in a zone gets an authoritative answer, with RD copied and RA clear', () => {
    const response = reply(queryFor('www.example.', 'A'))
    assert.deepEqual(answerTexts(response), ['192.0.2.1'])
    const { id, aa, rd, ra, ad, cd, rcode, authorities, additionals } = response
    assert.deepEqual([id, aa, rd, ra, ad, cd, rcode], [4711, true, true, false, false, false, Rcode.NOERROR])
    assert.deepEqual([authorities, additionals], [[], []])
  })

  it('the answer repeats the question in its original case', () => {
    const wire = queryFor('www.example.', 'A')
    const mixed = Buffer.from(
      Buffer.from(wire).toString('latin1').replace('www', 'wWw').replace('example', 'eXaMPle'),
      'latin1',
    )
    const response = Buffer.from(answer(mixed, 'udp') ?? [])
    assert.deepEqual(response.subarray(12, mixed.length), mixed.subarray(12))
    assert.deepEqual(answerTexts(parseMessage(response)), ['192.0.2.1'])
  })

  it('a missing name gets NXDOMAIN with the SOA', () => {
    const { rcode, aa, authorities } = reply(queryFor('nowhere.example.', 'A'))
    assert.deepEqual([rcode, aa, authorities.length], [Rcode.NXDOMAIN, true, 1])
  })

  it('a zone below another one of ours answers for itself, but its DS comes from the parent zone', () => {
    assert.deepEqual(answerTexts(reply(queryFor('child.example.', 'TXT'))), ['"inner"'])
    assert.equal(reply(queryFor('child.example.', 'DS')).authorities[0]?.name, 'example.')
  })

  it('everything outside our zones is REFUSED', () => {
    assert.equal(reply(queryFor('www.elsewhere.', 'A')).rcode, Rcode.REFUSED)
    assert.equal(reply(queryFor('.', 'NS')).rcode, Rcode.REFUSED)
  })

  it('a known zone without data gets SERVFAIL', () => {
    assert.equal(reply(queryFor('www.coming.', 'A')).rcode, Rcode.SERVFAIL)
  })

  it('CHAOS is REFUSED', () => {
    const question = {
      name: parseName('version.bind.'),
      type: 16 as Message['questions'][0]['type'],
      class: DnsClass.CH,
    }
    assert.equal(reply(queryFor('version.bind.', 'TXT', { questions: [question] })).rcode, Rcode.REFUSED)
  })

  it('every class except IN is REFUSED, even for our own names', () => {
    for (const wanted of [0, 2, DnsClass.CH, 4, 254, 255, 65280] as Message['questions'][0]['class'][]) {
      const question = { name: parseName('www.example.'), type: 1 as Message['questions'][0]['type'], class: wanted }
      const { rcode, answers, aa } = reply(queryFor('www.example.', 'A', { questions: [question] }))
      assert.deepEqual([rcode, answers, aa], [Rcode.REFUSED, [], false], `class ${wanted}`)
    }
  })

  it('zone transfers are REFUSED for everyone, even with our key', () => {
    for (const type of ['AXFR', 'IXFR']) {
      for (const transport of ['udp', 'tcp'] as const) {
        assert.equal(reply(queryFor('example.', type), transport).rcode, Rcode.REFUSED)
      }
      const signed = new TsigSession(testKey, hmac).sign(queryFor('example.', type), unixSeconds())
      assert.equal(reply(signed, 'tcp').rcode, Rcode.REFUSED)
    }
  })

  it('a query for a type that no zone can have gets the rcode of BIND, with and without EDNS, for any name', () => {
    const expected: readonly (readonly [rcode: number, types: readonly number[]])[] = [
      [Rcode.FORMERR, [41, 128, 129, 200, 248, 249, 250]],
      [Rcode.NOTIMP, [253, 254]],
      [Rcode.REFUSED, [251, 252]],
      [Rcode.NOERROR, [0, 1, 40, 42, 127, 255, 256, 384, 65535]],
    ]
    for (const [rcode, types] of expected)
      for (const type of types)
        for (const transport of ['udp', 'tcp'] as const)
          for (const more of [{}, edns(1232)]) {
            const name = parseName('www.example.')
            const question = { name, type: type as Message['questions'][0]['type'], class: DnsClass.IN }
            const { rcode: told, answers } = reply(
              queryFor('www.example.', 'A', { questions: [question], ...more }),
              transport,
            )
            assert.equal(told, rcode, `TYPE${type}`)
            if (rcode !== Rcode.NOERROR) assert.deepEqual(answers, [])
          }
    assert.equal(reply(queryFor('www.elsewhere.test.', 'TSIG')).rcode, Rcode.FORMERR)
    const signed = new TsigSession(testKey, hmac).sign(queryFor('www.example.', 'OPT'), unixSeconds())
    assert.equal(reply(signed).rcode, Rcode.FORMERR)
  })

  it('a private zone shows its serial to everyone, and the rest only with our key', () => {
    assert.equal(reply(queryFor('catalog.test.', 'SOA')).answers.length, 1)
    assert.equal(reply(queryFor('version.catalog.test.', 'TXT')).rcode, Rcode.REFUSED)
    const signed = new TsigSession(testKey, hmac).sign(queryFor('version.catalog.test.', 'TXT'), unixSeconds())
    assert.deepEqual(answerTexts(reply(signed)), ['"2"'])
  })
})

describe('EDNS and sizes', () => {
  it('an answer has EDNS if and only if the query has it', () => {
    const { edns: ours } = reply(queryFor('www.example.', 'A', edns(4096)))
    assert.deepEqual([ours?.udpSize, ours?.version, ours?.dnssecOk], [largestUdpBytes, 0, true])
    assert.equal(reply(queryFor('www.example.', 'A')).edns, undefined)
  })

  it('a newer EDNS version gets BADVERS', () => {
    const { rcode, edns: ours, answers } = reply(queryFor('www.example.', 'A', edns(4096, 1)))
    assert.deepEqual([rcode, ours?.version, answers.length], [Rcode.BADVERS, 0, 0])
  })

  it('a long UDP answer is truncated to the size that the client accepts, and to at most 1232 bytes', () => {
    for (const [fields, most] of [
      [{}, 512],
      [edns(100), 512],
      [edns(900), 900],
      [edns(65535), largestUdpBytes],
    ] as const) {
      const wire = answer(queryFor('big.example.', 'TXT', fields), 'udp')
      assert.ok(wire && wire.length <= most, `${wire?.length} of ${most}`)
      assert.equal(parseMessage(wire).tc, true)
    }
    const overTcp = reply(queryFor('big.example.', 'TXT'), 'tcp')
    assert.deepEqual([overTcp.tc, overTcp.answers.length], [false, longTexts.length])
  })

  it('a signed answer stays within the size, including its signature', () => {
    const signed = new TsigSession(testKey, hmac).sign(queryFor('big.example.', 'TXT'), unixSeconds())
    const wire = answer(signed, 'udp')
    assert.ok(wire && wire.length <= 512)
    assert.ok(parseMessage(wire).tsig)
  })
})

describe('queries that are not ordinary', () => {
  it('junk with a header gets FORMERR, with its own id and opcode', () => {
    for (const [flags, opcode] of [
      ['0100', Opcode.QUERY],
      ['2100', Opcode.NOTIFY],
    ] as const) {
      const response = reply(Buffer.from(`abcd${flags}0001000000000000ff`, 'hex'))
      const { id, rcode, rd, qr } = response
      assert.deepEqual([id, rcode, rd, qr, response.opcode], [0xabcd, Rcode.FORMERR, true, true, opcode])
    }
  })

  it('a name that points at itself, at its own beginning or past the end gets FORMERR', () => {
    const header = 'abcd01000001000000000000'
    for (const name of [
      'c00c',
      '0161c00c',
      'c00e',
      'c0ff',
      'ffff',
      '0161c0',
      '40',
      `${'3f'}${'61'.repeat(63)}`.repeat(4),
    ]) {
      const { id, rcode } = reply(Buffer.from(`${header}${name}00010001`, 'hex'), 'tcp')
      assert.deepEqual([id, rcode], [0xabcd, Rcode.FORMERR], name.slice(0, 20))
    }
  })

  it('a query of the maximum length gets FORMERR if it has a tail, and an answer if it is padded by EDNS', () => {
    const query = queryFor('www.example.', 'A')
    const long = new Uint8Array(65_535)
    long.set(query)
    assert.equal(reply(long, 'tcp').rcode, Rcode.FORMERR)
    const bare = queryFor('www.example.', 'A', edns(1232))
    const padding = { code: 12, data: new Uint8Array(65_535 - bare.length - 4) }
    const padded = queryFor('www.example.', 'A', {
      edns: { udpSize: 1232, version: 0, dnssecOk: false, options: [padding] },
    })
    assert.equal(padded.length, 65_535)
    assert.deepEqual(answerTexts(reply(padded, 'tcp')), ['192.0.2.1'])
  })

  it('a message shorter than a header gets no answer, and neither does an answer', () => {
    assert.equal(answer(new Uint8Array(11), 'udp'), undefined)
    assert.equal(answer(queryFor('www.example.', 'A', { qr: true }), 'udp'), undefined)
  })

  it('a query with no question or with two questions gets FORMERR', () => {
    const question = { name: parseName('www.example.'), type: 1 as Message['questions'][0]['type'], class: DnsClass.IN }
    assert.equal(reply(buildMessage({ id: 1, questions: [] })).rcode, Rcode.FORMERR)
    assert.equal(reply(buildMessage({ id: 1, questions: [question, question] })).rcode, Rcode.FORMERR)
  })

  it('several questions get FORMERR and are not repeated, at any length and with any EDNS version', () => {
    const question = { name: parseName('.'), type: 1 as Message['questions'][0]['type'], class: DnsClass.IN }
    for (const fields of [{}, edns(1232), edns(1232, 1)]) {
      const wire = buildMessage({ id: 9, questions: Array.from({ length: 300 }, () => question), ...fields })
      for (const transport of ['udp', 'tcp'] as const) assert.equal(answer(wire, transport)?.length, 12)
      assert.equal(reply(wire).rcode, Rcode.FORMERR)
    }
    assert.deepEqual(log.lines, [])
  })

  it('a name that points into the header gets FORMERR, and the bytes after the query do not change', () => {
    const size = 2048
    // The name is a label of nine bytes. It begins with the first byte of the id, and ends with the upper byte of the count of additional records.
    const query = Buffer.alloc(size)
    query.set(Buffer.from('09aa00000001000000000001c00000010001', 'hex'))
    query.set(Buffer.from('00002904d000000000', 'hex'), 18)
    query.writeUInt16BE(size - 29, 27)
    query.writeUInt16BE(65_001, 29)
    query.writeUInt16BE(size - 33, 31)
    const packets = new DataView(new ArrayBuffer(2 * size + scratchBytes))
    const memory = new Uint8Array(packets.buffer)
    const responder = new Responder({ ...common, packets, scratchAt: 2 * size })
    memory.set(query)
    memory.fill(0xaa, size, 2 * size)
    assert.equal(responder.respond(0, size, 'udp', { view: client, at: 0, bytes: 4 }), 12)
    assert.equal(parseMessage(memory.slice(0, 12)).rcode, Rcode.FORMERR)
    assert.ok(memory.subarray(size, 2 * size).every((byte) => byte === 0xaa))
  })

  it('unsupported opcodes get NOTIMP and are repeated in the answer', () => {
    for (const opcode of [Opcode.IQUERY, Opcode.STATUS, 3, Opcode.UPDATE, 15]) {
      const response = reply(queryFor('www.example.', 'A', { opcode }))
      assert.deepEqual([response.rcode, response.opcode, response.aa], [Rcode.NOTIMP, opcode, false])
    }
  })

  it('random bytes never crash it, and every answer to them is a valid message', () => {
    for (let round = 0; round < 2000; round++) {
      const bytes = randomBytes(round % 90)
      if (round % 2 === 0 && bytes.length > 12)
        Buffer.from(queryFor('www.example.', 'A')).copy(bytes, 0, 0, 12 + (round % 12))
      const response = answer(bytes, round % 3 === 0 ? 'tcp' : 'udp')
      if (response) parseMessage(response)
    }
    assert.deepEqual(log.lines, [])
  })
})

describe('signed queries', () => {
  it('get signed answers', () => {
    const session = new TsigSession(testKey, hmac)
    const response = answer(session.sign(queryFor('www.example.', 'A'), unixSeconds()), 'udp')
    assert.ok(response)
    session.verify(response, unixSeconds())
    assert.deepEqual(answerTexts(parseMessage(response)), ['192.0.2.1'])
  })

  it('with a key that is not ours get NOTAUTH, and have no effect', () => {
    const strangers = [
      { ...testKey, name: parseName('other-key.') },
      { ...testKey, secret: new Uint8Array(32) },
    ]
    for (const key of strangers) {
      heard.length = 0
      const notify = buildMessage(notifyMessage(1, parseName('example.')))
      const wire = answer(new TsigSession(key, hmac).sign(notify, unixSeconds()), 'udp')
      assert.ok(wire)
      assert.equal(parseMessage(wire).rcode, Rcode.NOTAUTH)
      assert.equal(tsigKeyNameOf(wire), key.name)
      assert.deepEqual(heard, [])
    }
  })

  it('get NOTAUTH if no key is configured', () => {
    const keyless = answerWith({})
    const wire = keyless(new TsigSession(testKey, hmac).sign(queryFor('www.example.', 'A'), unixSeconds()), 'udp')
    assert.equal(wire && parseMessage(wire).rcode, Rcode.NOTAUTH)
  })
})

describe('beyond the rate limit', () => {
  const limits = { ...usualRateLimits, answersPerSecond: 1, answersPerPrefix: 1, slip: 0 }
  const cookies = CookieJar.allocate()
  new SharedSecrets(cookies).set(new Uint8Array(16).fill(1))
  const limitedTo = (slip: number) => {
    const limiter = new RateLimiter(RateLimiter.allocate({ ...limits, slip }))
    return answerWith({ keys: [testKey], limiter, cookies: new CookieJar(cookies), nsid: nsidOption('x'.repeat(100)) })
  }
  const limited = limitedTo(0)
  const malformed = {
    edns: { udpSize: 1232, version: 0, dnssecOk: false, options: [{ code: 10, data: new Uint8Array(9) }] },
  }

  it('a stranger gets no answer, but a client with our key does, whatever its address', () => {
    const silent = Array.from({ length: 20 }, () => limited(queryFor('www.elsewhere.', 'A'), 'udp'))
    assert.equal(silent.at(-1), undefined)
    for (let each = 0; each < 20; each++) {
      const session = new TsigSession(testKey, hmac)
      const response = limited(session.sign(queryFor('www.elsewhere.', 'A'), unixSeconds()), 'udp')
      assert.ok(response)
      session.verify(response, unixSeconds())
      assert.equal(parseMessage(response).rcode, Rcode.REFUSED)
    }
  })

  it('a client with our key is answered, even with a malformed cookie', () => {
    for (let each = 0; each < 20; each++) {
      const session = new TsigSession(testKey, hmac)
      const response = limited(session.sign(queryFor('www.example.', 'A', malformed), unixSeconds()), 'udp')
      assert.ok(response)
      session.verify(response, unixSeconds())
      assert.equal(parseMessage(response).rcode, Rcode.FORMERR)
    }
  })

  it('rejections of EDNS versions and cookies are limited like errors over UDP, but not over TCP', () => {
    const nsid = { code: 3, data: new Uint8Array() }
    const version1 = { edns: { udpSize: 1232, version: 1, dnssecOk: false, options: [nsid] } }
    for (const fields of [version1, malformed]) {
      const query = queryFor('www.example.', 'A', fields)
      const found = Array.from({ length: 20 }, () => limited(query, 'udp'))
      assert.equal(found.at(-1), undefined)
      assert.ok(limited(query, 'tcp'))
      const truncated = limitedTo(1)
      const last = Array.from({ length: 20 }, () => truncated(query, 'udp')).at(-1)
      assert.ok(last && last.length <= query.length, `${last?.length} bytes for ${query.length}`)
      assert.equal(parseMessage(last).tc, true)
    }
  })

  it('an answer that needs no more space than the query is limited like any other', () => {
    const truncated = limitedTo(1)
    for (const [name, type] of [
      ['www.example.', 'A'],
      ['nowhere.example.', 'A'],
      ['www.example.', 'AAAA'],
      ['www.child.example.', 'A'],
      ['.', 'NS'],
      ['example.', 'AXFR'],
      [`${'x'.repeat(63)}.${'y'.repeat(63)}.example.`, 'TXT'],
    ] as const) {
      const query = queryFor(name, type)
      truncated(query, 'udp')
      const response = truncated(query, 'udp')
      assert.ok(response, name)
      const { tc, rcode, answers, authorities, additionals, aa } = parseMessage(response)
      assert.deepEqual(
        [tc, rcode, aa, answers, authorities, additionals],
        [true, Rcode.NOERROR, false, [], [], []],
        name,
      )
      assert.equal(response.length, query.length, name)
    }
  })
})

describe('queries that share a limit', () => {
  publish(zoneOf('limited.', 1, ['www A 192.0.2.1', '*.wild A 192.0.2.2', 'sub NS ns.sub', 'deep.ent A 192.0.2.3']))
  publish(zoneOf('other.', 1, ['www A 192.0.2.1']))
  /** A client prefix gets this many responses of each kind and zone, and this many errors for all zones together. */
  const queries = {
    'positive limited.': ['www.limited. A', 'a.wild.limited. A', 'limited. SOA', 'x.sub.limited. A'],
    // NODATA at a name, at a wildcard and at an empty non-terminal, and NXDOMAIN.
    'negative limited.': ['www.limited. AAAA', 'a.wild.limited. AAAA', 'ent.limited. A', 'nowhere.limited. A'],
    'positive other.': ['www.other. A'],
    'negative other.': ['www.other. AAAA', 'nowhere.other. A'],
    error: ['www.elsewhere. A', 'www.coming. A', 'www.limited. AXFR', 'www.other. TYPE200'],
  }
  const all = Object.entries(queries).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })))
  const wireOf = (text: string) => {
    const [name = '', type = ''] = text.split(' ')
    return queryFor(name, type)
  }

  for (const { kind: usedUp, text } of all) {
    it(`${text} counts as ${usedUp}`, (test) => {
      test.mock.method(Date, 'now', () => 1_800_000_000_000)
      const limits = { ...usualRateLimits, answersPerSecond: 5, answersPerPrefix: 10_000, slip: 0 }
      const limited = answerWith({ limiter: new RateLimiter(RateLimiter.allocate(limits, 1024)) })
      while (limited(wireOf(text), 'udp') !== undefined) {}
      const found = all.map(({ text: other }) => `${other}: ${limited(wireOf(other), 'udp') ? 'answered' : 'silence'}`)
      const expected = all.map(({ kind, text: other }) => `${other}: ${kind === usedUp ? 'silence' : 'answered'}`)
      assert.deepEqual(found, expected)
    })
  }
})

describe('NOTIFY', () => {
  const notify = (zone: string, key = testKey) =>
    new TsigSession(key, hmac).sign(buildMessage(notifyMessage(5, parseName(zone))), unixSeconds())

  it('signed with our key is handled, and answered with NOERROR', () => {
    heard.length = 0
    const { rcode, opcode, tsig } = reply(notify('example.'))
    assert.deepEqual([rcode, opcode, tsig !== undefined], [Rcode.NOERROR, Opcode.NOTIFY, true])
    assert.deepEqual(heard, [{ origin: 'example.', serial: undefined }])
  })

  it('signed with either key during a key change is handled, and answered with the same key', () => {
    heard.length = 0
    const other = { ...testKey, name: parseName('new-key.'), secret: new Uint8Array(32).fill(9) }
    const both = answerWith({ keys: [testKey, other], onNotify })
    for (const key of [testKey, other]) {
      const session = new TsigSession(key, hmac)
      const wire = both(session.sign(buildMessage(notifyMessage(5, parseName('example.'))), unixSeconds()), 'udp')
      assert.ok(wire)
      assert.equal(session.faultOf(wire, unixSeconds()), undefined)
      assert.equal(parseMessage(wire).rcode, Rcode.NOERROR)
    }
    assert.equal(heard.length, 2)
  })

  it('for a zone that is not ours is handled, and answered with NOTAUTH', () => {
    heard.length = 0
    assert.equal(reply(notify('new.')).rcode, Rcode.NOTAUTH)
    assert.equal(heard.length, 1)
  })

  it('without a signature is REFUSED and ignored', () => {
    heard.length = 0
    assert.equal(reply(buildMessage(notifyMessage(5, parseName('example.')))).rcode, Rcode.REFUSED)
    assert.deepEqual(heard, [])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from 'dns-packet'
import fc from 'fast-check'
import { hostName } from './arbitraries.test.ts'
import { buildMessage, buildResponse } from './build-message.ts'
import { DnsClass } from './dns-class.ts'
import { type Message, Opcode, Rcode, responseTo, type WireRecord } from './message.ts'
import { type DomainName, parseName, rootName } from './name.ts'
import { nameToWire } from './name-wire.ts'
import { parseMessage } from './parse-message.ts'
import { parseRdata } from './rdata.ts'
import { parseType, RrType, toType } from './type.ts'

const example = parseName('example.com.')

function record(name: DomainName, type: string, text: string): WireRecord {
  return { name, type: parseType(type), class: DnsClass.IN, ttl: 300, data: parseRdata(parseType(type), text, example) }
}

function answer(records: readonly WireRecord[], fields: Partial<Message> = {}): Message {
  const questions = [{ name: example, type: RrType.A, class: DnsClass.IN }]
  return responseTo(parseMessage(buildMessage({ id: 4711, questions })), { answers: records, ...fields })
}

const anyRecord: fc.Arbitrary<WireRecord> = fc
  .tuple(
    hostName,
    fc.nat(0x7fffffff),
    fc.oneof(
      hostName.map((name) => ({ type: RrType.NS, data: nameToWire(name) })),
      hostName.map((name) => ({ type: RrType.MX, data: Uint8Array.of(0, 10, ...nameToWire(name)) })),
      hostName.map((name) => ({ type: RrType.SRV, data: Uint8Array.of(0, 1, 0, 2, 0, 3, ...nameToWire(name)) })),
      fc.uint8Array({ minLength: 4, maxLength: 4 }).map((data) => ({ type: RrType.A, data })),
      fc.uint8Array({ maxLength: 40 }).map((data) => ({ type: toType(65400), data })),
    ),
  )
  .map(([name, ttl, typed]) => ({ name, ttl, class: DnsClass.IN, ...typed }))

const anyMessage: fc.Arbitrary<Message> = plainRecord({
  id: fc.nat(0xffff),
  qr: fc.boolean(),
  opcode: fc.constantFrom(Opcode.QUERY, Opcode.NOTIFY, Opcode.UPDATE),
  aa: fc.boolean(),
  tc: fc.boolean(),
  rd: fc.boolean(),
  ra: fc.boolean(),
  ad: fc.boolean(),
  cd: fc.boolean(),
  rcode: fc.nat(0xfff),
  questions: fc.array(plainRecord({ name: hostName, type: fc.constant(RrType.A), class: fc.constant(1) }), {
    maxLength: 2,
  }),
  answers: fc.array(anyRecord, { maxLength: 6 }),
  authorities: fc.array(anyRecord, { maxLength: 3 }),
  additionals: fc.array(anyRecord, { maxLength: 3 }),
  edns: plainRecord({
    udpSize: fc.nat(0xffff),
    version: fc.nat(255),
    dnssecOk: fc.boolean(),
    options: fc.array(plainRecord({ code: fc.nat(0xffff), data: fc.uint8Array({ maxLength: 20 }) }), { maxLength: 2 }),
  }),
})

/** Records with the ordinary prototype, as parsing makes them. */
function plainRecord<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record<T>(model, { noNullPrototype: true })
}

test('every built message parses to itself', () => {
  fc.assert(fc.property(anyMessage, (message) => assert.deepEqual(parseMessage(buildMessage(message)), message)))
})

test('compresses names only in the types of RFC 1035', () => {
  const sizeOf = (type: string, text: string) => buildMessage(answer([record(example, type, text)])).length
  const empty = buildMessage(answer([])).length
  const fixed = 2 + 10
  assert.equal(sizeOf('MX', '10 example.com.'), empty + fixed + 2 + 2)
  assert.equal(sizeOf('SRV', '1 2 3 example.com.'), empty + fixed + 6 + 13)
  assert.equal(sizeOf('DNAME', 'example.com.'), empty + fixed + 13)
})

test('leaves out whole rrsets that do not fit, sets TC, and keeps the OPT', () => {
  const addresses = (name: string) => [1, 2, 3].map((host) => record(parseName(name, example), 'A', `192.0.2.${host}`))
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] }
  const message = answer([...addresses('a'), ...addresses('b'), ...addresses('c')], { edns })
  const whole = buildMessage(message)
  assert.equal(parseMessage(buildMessage(message, { maxSize: whole.length })).tc, false)
  const cut = buildMessage(message, { maxSize: whole.length - 1 })
  assert.ok(cut.length < whole.length)
  assert.equal(parseMessage(cut).tc, true)
  assert.deepEqual(parseMessage(cut).answers, message.answers.slice(0, 6))
  assert.deepEqual(parseMessage(cut).edns, edns)
  assert.equal(decode(Buffer.from(cut)).flag_tc, true)
  assert.throws(() => buildMessage(message, { maxSize: 30 }), { code: 'bad_message' })
})

test('no compression pointer refers to a name in an rrset that was left out', () => {
  const messages = fc.tuple(anyMessage, fc.integer({ min: 100, max: 400 }))
  fc.assert(
    fc.property(messages, ([message, maxSize]) => {
      const cut = {
        ...message,
        questions: message.questions.slice(0, 1),
        edns: { ...message.edns, udpSize: 1, version: 0, dnssecOk: false, options: [] },
      }
      const wire = buildMessage(cut, { maxSize })
      assert.ok(wire.length <= maxSize)
      const { answers } = parseMessage(wire)
      assert.deepEqual(answers, cut.answers.slice(0, answers.length))
    }),
  )
})

test('an answer repeats the question in the letter case of the query', () => {
  const query = buildMessage({ id: 1, questions: [{ name: example, type: RrType.A, class: 1 }] })
  query.set([0x45, 0x58], 13)
  const message = responseTo(parseMessage(query), { answers: [record(example, 'A', '192.0.2.1')] })
  const wire = buildResponse(query, message)
  assert.deepEqual(wire.subarray(12, 12 + 17), query.subarray(12, 12 + 17))
  assert.deepEqual(parseMessage(wire).answers, message.answers)
})

test('an answer with another question keeps its own question', () => {
  const query = buildMessage({ id: 1, questions: [{ name: parseName('other.com.'), type: RrType.A, class: 1 }] })
  const wire = buildResponse(query, answer([]))
  assert.equal(parseMessage(wire).questions[0]?.name, example)
})

test('response codes above 15 need EDNS', () => {
  assert.throws(() => buildMessage({ id: 1, rcode: Rcode.BADVERS }), { code: 'bad_message' })
})

test('malformed messages are refused', () => {
  const good = buildMessage(
    answer([record(example, 'MX', '10 mail')], { edns: { udpSize: 512, version: 0, dnssecOk: false, options: [] } }),
  )
  const refuses = (wire: Uint8Array) => assert.throws(() => parseMessage(wire), { code: 'bad_message' })
  for (let size = 0; size < good.length; size++) refuses(good.subarray(0, size))
  refuses(Uint8Array.of(...good, 0))
  const opt = good.subarray(good.length - 11)
  const twice = Uint8Array.of(...good, ...opt)
  twice[11] = 2
  refuses(twice)
  const optAsAnswer = Uint8Array.of(0, 1, 0x80, 0, 0, 0, 0, 1, 0, 0, 0, 0, ...opt)
  refuses(optAsAnswer)
})

test('a fault in a record names the record', () => {
  const wire = buildMessage(answer([record(example, 'MX', '10 mail'), record(example, 'A', '192.0.2.1')]))
  const lengthAt = wire.length - 5
  for (const [length, message] of [
    [3, 'example.com. A: The data ends too early.'],
    [5, 'example.com. A: The data ends too early.'],
  ] as const) {
    const spoiled = wire.with(lengthAt, length)
    assert.throws(() => parseMessage(spoiled), { code: 'bad_message', message })
  }
})

test('an update may refer to an rrset with a record without data', () => {
  const bare = { name: example, type: RrType.A, class: DnsClass.ANY, ttl: 0, data: new Uint8Array(0) }
  const wire = buildMessage({ id: 1, opcode: Opcode.UPDATE, authorities: [bare] })
  assert.deepEqual(parseMessage(wire).authorities, [bare])
  assert.throws(() => parseMessage(buildMessage({ id: 1, answers: [{ ...bare, class: DnsClass.IN }] })))
})

test('the root name takes one byte', () => {
  const wire = buildMessage({ id: 1, questions: [{ name: rootName, type: RrType.NS, class: 1 }] })
  assert.equal(wire.length, 12 + 1 + 4)
})

test('a parsed message does not change when its buffer is reused', () => {
  const wire = Buffer.from(buildMessage(answer([record(example, 'TXT', 'kept'), record(example, 'MX', '1 a.')])))
  const before = parseMessage(wire)
  const expected = parseMessage(Buffer.from(wire))
  wire.fill(0)
  assert.deepEqual(before, expected)
})

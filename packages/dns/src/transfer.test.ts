import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from './cpu-time.test.ts'
import {
  axfrAnswers,
  axfrQuery,
  buildMessage,
  diffRrsets,
  ixfrAnswers,
  ixfrQuery,
  type Message,
  notifyMessage,
  Opcode,
  parseMessage,
  parseName,
  type ResourceRecord,
  RrType,
  responseTo,
  type Serial,
  soaQuery,
  TransferReader,
  toSerial,
  toWireRecord,
  transferMessages,
} from './index.ts'
import { example, linesOf, recordsFrom, soaLine, zoneFrom } from './zone-samples.test.ts'

function soaRecord(serial: number): ResourceRecord {
  const [record] = recordsFrom(soaLine(serial))
  assert.ok(record !== undefined)
  return record
}

const host = (number: number) => recordsFrom(`h${number} A 192.0.2.${number}\n`)
const query = axfrQuery(3, example)

/** One message of a transfer. */
function message(...records: ResourceRecord[]): Message {
  return responseTo({ ...query, questions: [] }, { aa: true, answers: records.map(toWireRecord) })
}

function feedAll(kind: 'axfr' | 'ixfr', have: Serial | undefined, ...records: ResourceRecord[]) {
  const reader = new TransferReader(example, kind, have)
  const outcomes = records.map((record) => reader.feed(message(record)))
  assert.deepEqual(
    outcomes.slice(0, -1).filter((outcome) => outcome !== undefined),
    [],
  )
  return outcomes.at(-1)
}

test('packs a zone of 10,000 names into few messages, and reads it again across message boundaries', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `host-${index} A 192.0.2.1\n`)
  const zone = zoneFrom(soaLine(9) + lines.join(''))
  const wires: Uint8Array[] = []
  const tookMs = cpuMs(() => wires.push(...transferMessages(query, buildMessage(query), axfrAnswers(zone.rrsets()))))
  assert.ok(tookMs < 2000, `${tookMs} ms`)
  assert.ok(wires.length < 25)
  const reader = new TransferReader(example, 'axfr')
  const outcomes = wires.map((wire) => reader.feed(parseMessage(wire)))
  const last = outcomes.at(-1)
  assert.equal(last?.kind, 'full')
  assert.deepEqual(linesOf(last.rrsets).sort(), linesOf(zone.rrsets()).sort())
  assert.deepEqual(parseMessage(wires[0] ?? new Uint8Array()).questions, query.questions)
  assert.deepEqual(parseMessage(wires[1] ?? new Uint8Array()).questions, [])
})

test('a record longer than 16 KiB gets its own message, and one that fits in no message is refused', () => {
  const record = (bytes: number) => ({
    name: example,
    type: parseMessage(buildMessage(query)).questions[0]?.type ?? RrType.A,
    ttl: 1,
    data: new Uint8Array(bytes),
  })
  const long = { ...record(40_000), type: RrType.NULL }
  const wires = [...transferMessages(query, buildMessage(query), [soaRecord(1), long, soaRecord(1)])]
  assert.deepEqual(
    wires.map((wire) => parseMessage(wire).answers.length),
    [1, 1, 1],
  )
  const pack = () => [...transferMessages(query, buildMessage(query), [{ ...long, data: new Uint8Array(65_000) }])]
  assert.throws(pack, { code: 'bad_message' })
})

test('the OPT fits in the first message, however full the message is', () => {
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] }
  const records = Array.from({ length: 60 }, (_, index) => host(index)).flat()
  const lengths = Array.from({ length: 40 }, (_, more) => {
    const maxSize = 500 + more
    const wires = [...transferMessages(query, buildMessage(query), [soaRecord(1), ...records], { maxSize, edns })]
    const messages = wires.map((wire) => parseMessage(wire))
    assert.deepEqual([messages[0]?.edns, messages[1]?.edns], [edns, undefined])
    assert.equal(messages.flatMap(({ answers }) => answers).length, 61)
    return maxSize - Math.max(...wires.map(({ length }) => length))
  })
  assert.equal(Math.min(...lengths), 0)
})

test('an incremental transfer returns its steps, which turn the old zone into the new one', () => {
  const before = zoneFrom(`${soaLine(1)}h1 A 192.0.2.1\nh2 A 192.0.2.2\n`)
  const after = zoneFrom(`${soaLine(3)}h2 A 192.0.2.2\nh3 A 192.0.2.3\nh4 A 192.0.2.4\n`)
  const steps = [
    { oldSoa: soaRecord(1), removed: host(1), newSoa: soaRecord(2), added: host(3) },
    { oldSoa: soaRecord(2), removed: [], newSoa: soaRecord(3), added: host(4) },
  ]
  const asked = ixfrQuery(5, example, soaRecord(1))
  const reader = new TransferReader(example, 'ixfr', toSerial(1))
  const wires = [...transferMessages(asked, buildMessage(asked), ixfrAnswers(soaRecord(3), steps))]
  const outcome = wires.map((wire) => reader.feed(parseMessage(wire))).at(-1)
  assert.equal(outcome?.kind, 'steps')
  assert.deepEqual(
    outcome.steps.map(({ from, to }) => [from, to]),
    [
      [1, 2],
      [2, 3],
    ],
  )
  for (const step of outcome.steps) before.apply(step)
  assert.deepEqual(diffRrsets(before.rrsets(), after.rrsets()), { removed: [], added: [] })
})

test('a lone SOA that is not newer means that nothing changed', () => {
  assert.deepEqual(feedAll('ixfr', toSerial(5), soaRecord(5)), { kind: 'unchanged' })
  assert.deepEqual(feedAll('ixfr', toSerial(5), soaRecord(4)), { kind: 'unchanged' })
  assert.equal(feedAll('ixfr', toSerial(5), soaRecord(6)), undefined)
  assert.equal(feedAll('axfr', undefined, soaRecord(5)), undefined)
  assert.deepEqual([...ixfrAnswers(soaRecord(5), [])].length, 1)
})

test('an incremental query may be answered with the whole zone', () => {
  const outcome = feedAll('ixfr', toSerial(5), soaRecord(6), ...host(1), soaRecord(6))
  assert.equal(outcome?.kind, 'full')
  assert.equal(outcome.serial, 6)
  assert.equal(outcome.rrsets.length, 2)
})

const foreign = { ...soaRecord(2), name: parseName('example.net.') }
const a = { name: parseName('www.example.net.'), type: RrType.A, ttl: 1, data: Uint8Array.of(192, 0, 2, 1) }

for (const [record, message] of [
  [a, 'The transfer of example.com. has the A record of www.example.net.'],
  [
    { ...soaRecord(1), name: parseName('x.example.com.') },
    'The transfer is broken: the SOA record of x.example.com. is not at the apex.',
  ],
  [
    { ...a, name: example, type: RrType.ANY },
    'The transfer is broken: the ANY record of example.com. cannot be in a zone.',
  ],
] as const) {
  test(`the error of a refused transfer names the wrong record: ${message}`, () => {
    assert.throws(() => feedAll('axfr', undefined, soaRecord(1), record), { message })
  })
}

for (const [what, kind, have, records] of [
  ['does not begin with the SOA', 'axfr', undefined, host(1)],
  ['ends with another serial', 'axfr', undefined, [soaRecord(1), ...host(1), soaRecord(2)]],
  ['goes on after its end', 'axfr', undefined, [soaRecord(1), soaRecord(1), ...host(1)]],
  ['has data of another zone', 'axfr', undefined, [soaRecord(1), a]],
  ['has a SOA of another name', 'axfr', undefined, [soaRecord(1), foreign]],
  [
    'has a SOA below the apex',
    'axfr',
    undefined,
    [soaRecord(1), { ...soaRecord(1), name: parseName('x.example.com.') }],
  ],
  ['has a record that stands in no zone', 'axfr', undefined, [soaRecord(1), { ...a, name: example, type: RrType.ANY }]],
  ['begins its steps at another serial', 'ixfr', toSerial(1), [soaRecord(3), soaRecord(2), soaRecord(3)]],
  ['steps backwards', 'ixfr', toSerial(2), [soaRecord(3), soaRecord(2), soaRecord(1)]],
  ['stands still', 'ixfr', toSerial(2), [soaRecord(3), soaRecord(2), soaRecord(2)]],
  ['leaves a gap', 'ixfr', toSerial(1), [soaRecord(4), soaRecord(1), soaRecord(2), soaRecord(3)]],
  ['goes past its newest serial', 'ixfr', toSerial(1), [soaRecord(2), soaRecord(1), soaRecord(2), soaRecord(3)]],
] as const) {
  test(`a transfer that ${what} is refused`, () => {
    assert.throws(
      () => feedAll(kind, have, ...records),
      (fault: unknown) => {
        return (
          fault instanceof Error && 'code' in fault && (fault.code === 'bad_message' || fault.code === 'out_of_zone')
        )
      },
    )
  })
}

test('error codes, questions, truncated and empty messages are refused', () => {
  const refuses = (fields: Partial<Message>) => {
    const reader = new TransferReader(example, 'axfr')
    assert.throws(() => reader.feed({ ...message(soaRecord(1)), ...fields }), { code: 'bad_message' })
  }
  refuses({ rcode: 5 })
  refuses({ qr: false })
  refuses({ tc: true })
  refuses({ answers: [] })
  refuses({ questions: soaQuery(1, example).questions })
  refuses({ answers: [{ ...toWireRecord(soaRecord(1)), class: 3 }] })
})

test('a transfer with more records than allowed is refused', () => {
  const reader = new TransferReader(example, 'axfr', undefined, { maxRecords: 2 })
  assert.throws(() => reader.feed(message(soaRecord(1), ...host(1), ...host(2))), /more than 2 records/)
})

test('a NOTIFY can have the SOA as a hint', () => {
  const wire = parseMessage(buildMessage(notifyMessage(8, example, soaRecord(4))))
  assert.deepEqual(
    [wire.opcode, wire.aa, wire.questions[0]?.type, wire.answers.length],
    [Opcode.NOTIFY, true, RrType.SOA, 1],
  )
  assert.equal(notifyMessage(8, example).answers.length, 0)
})

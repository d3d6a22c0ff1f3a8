import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostName } from './arbitraries.test.ts'
import { buildMessage } from './build-message.ts'
import { DnsClass } from './dns-class.ts'
import { DnsFault } from './faults.ts'
import { type Message, Opcode, Rcode, type WireRecord } from './message.ts'
import { type DomainName, parseName, rootName } from './name.ts'
import { parseMessage } from './parse-message.ts'
import { parseRdata } from './rdata.ts'
import { anyDataOf } from './rdata-samples.test.ts'
import { RrType, toType } from './type.ts'
import { type Prerequisite, readUpdate, type Update, type UpdateChange, UpdateFault, updateMessage } from './update.ts'
import { example } from './zone-samples.test.ts'

const name = hostName.map((text) => `${text}example.com.` as DomainName)
const typed = fc
  .constantFrom(RrType.A, RrType.MX, RrType.TXT, RrType.HTTPS, toType(65400))
  .chain((type) => fc.record({ type: fc.constant(type), data: anyDataOf.get(type) ?? fc.constant(new Uint8Array(1)) }))

const anyPrerequisite: fc.Arbitrary<Prerequisite> = fc
  .tuple(
    fc.constantFrom('name-in-use', 'name-not-in-use', 'rrset-exists', 'rrset-missing', 'record-exists'),
    name,
    typed,
  )
  .map(([kind, owner, { type, data }]): Prerequisite => {
    if (kind === 'name-in-use' || kind === 'name-not-in-use') return { kind, name: owner }
    return kind === 'record-exists' ? { kind, name: owner, type, data } : { kind, name: owner, type }
  })

const anyChange: fc.Arbitrary<UpdateChange> = fc
  .tuple(fc.constantFrom('add-record', 'delete-name', 'delete-rrset', 'delete-record'), name, typed, fc.nat(0x7fffffff))
  .map(([kind, owner, { type, data }, ttl]): UpdateChange => {
    if (kind === 'add-record') return { kind, record: { name: owner, type, ttl, data } }
    if (kind === 'delete-name') return { kind, name: owner }
    return kind === 'delete-rrset' ? { kind, name: owner, type } : { kind, name: owner, type, data }
  })

test('every built update parses to itself', () => {
  const updates = fc.tuple(fc.array(anyPrerequisite, { maxLength: 4 }), fc.array(anyChange, { maxLength: 4 }))
  fc.assert(
    fc.property(updates, ([prerequisites, changes]) => {
      const update: Update = { zone: example, prerequisites, changes }
      assert.deepEqual(readUpdate(parseMessage(buildMessage(updateMessage(7, update)))), update)
    }),
  )
})

test('only an update may have a record without the data that its type needs', () => {
  for (const dnsClass of [DnsClass.ANY, DnsClass.NONE])
    for (const opcode of [Opcode.QUERY, Opcode.NOTIFY, Opcode.UPDATE])
      for (const section of ['answers', 'authorities', 'additionals'] as const) {
        const bare = { name: example, type: RrType.NS, class: dnsClass, ttl: 0, data: new Uint8Array(0) }
        const wire = buildMessage({ id: 1, opcode, [section]: [bare] })
        if (opcode === Opcode.UPDATE) assert.deepEqual(parseMessage(wire)[section], [bare])
        else assert.throws(() => parseMessage(wire), DnsFault, `${opcode} ${section}`)
      }
})

test('an update has the wire form that RFC 2136 specifies', () => {
  const data = parseRdata(RrType.A, '192.0.2.1')
  const message = parseMessage(
    buildMessage(
      updateMessage(7, {
        zone: example,
        prerequisites: [
          { kind: 'name-in-use', name: example },
          { kind: 'rrset-missing', name: example, type: RrType.A },
        ],
        changes: [
          { kind: 'delete-rrset', name: example, type: RrType.A },
          { kind: 'delete-record', name: example, type: RrType.A, data },
          { kind: 'add-record', record: { name: example, type: RrType.A, ttl: 60, data } },
        ],
      }),
    ),
  )
  assert.deepEqual(
    [message.opcode, message.questions],
    [Opcode.UPDATE, [{ name: example, type: RrType.SOA, class: 1 }]],
  )
  const shown = (record: WireRecord) => [record.type, record.class, record.ttl, record.data.length]
  assert.deepEqual(message.answers.map(shown), [
    [255, 255, 0, 0],
    [1, 254, 0, 0],
  ])
  assert.deepEqual(message.authorities.map(shown), [
    [1, 255, 0, 0],
    [1, 254, 0, 4],
    [1, 1, 60, 4],
  ])
})

const record = (fields: Partial<WireRecord> = {}): WireRecord => ({
  name: example,
  type: RrType.A,
  class: DnsClass.IN,
  ttl: 0,
  data: Uint8Array.of(192, 0, 2, 1),
  ...fields,
})
const bare = { data: new Uint8Array(0) }

for (const [what, fields, rcode] of [
  ['without a zone', { questions: [] }, Rcode.FORMERR],
  [
    'of two zones',
    { questions: [6, 6].map((type) => ({ name: example, type: toType(type), class: 1 })) },
    Rcode.FORMERR,
  ],
  ['of a zone named by its NS', { questions: [{ name: example, type: RrType.NS, class: 1 }] }, Rcode.FORMERR],
  ['of another class', { questions: [{ name: example, type: RrType.SOA, class: 3 }] }, Rcode.NOTAUTH],
  ['that is a query', { opcode: Opcode.QUERY }, Rcode.FORMERR],
  ['of a name outside', { authorities: [record({ name: parseName('example.net.') })] }, Rcode.NOTZONE],
  ['that depends on a name outside', { answers: [record({ name: rootName })] }, Rcode.NOTZONE],
  ['with a TTL in a prerequisite', { answers: [record({ ttl: 1 })] }, Rcode.FORMERR],
  ['with data where a prerequisite has none', { answers: [record({ class: DnsClass.ANY })] }, Rcode.FORMERR],
  ['with data where an rrset is missing', { answers: [record({ class: DnsClass.NONE })] }, Rcode.FORMERR],
  ['with a prerequisite of another class', { answers: [record({ class: 3 })] }, Rcode.FORMERR],
  ['with a prerequisite of any type and data', { answers: [record({ type: RrType.ANY })] }, Rcode.FORMERR],
  [
    'with a prerequisite of a transfer',
    { answers: [record({ ...bare, type: RrType.AXFR, class: 255 })] },
    Rcode.FORMERR,
  ],
  ['that adds any type', { authorities: [record({ type: RrType.ANY })] }, Rcode.FORMERR],
  ['that adds a signature of messages', { authorities: [record({ type: RrType.TKEY })] }, Rcode.FORMERR],
  ['that deletes an rrset with data', { authorities: [record({ class: DnsClass.ANY })] }, Rcode.FORMERR],
  ['that deletes with a TTL', { authorities: [record({ class: DnsClass.NONE, ttl: 1 })] }, Rcode.FORMERR],
  ['that deletes a transfer', { authorities: [record({ ...bare, type: RrType.IXFR, class: 255 })] }, Rcode.FORMERR],
  [
    'that deletes a record without the data that its type needs',
    { authorities: [record({ ...bare, class: DnsClass.NONE })] },
    Rcode.FORMERR,
  ],
  ['that changes another class', { authorities: [record({ class: 3 })] }, Rcode.FORMERR],
] as const) {
  test(`an update ${what} is refused`, () => {
    const empty = updateMessage(7, { zone: example, prerequisites: [], changes: [] })
    const message: Message = { ...parseMessage(buildMessage(empty)), ...fields }
    assert.throws(
      () => readUpdate(message),
      (fault: unknown) => fault instanceof UpdateFault && fault.rcode === rcode && fault.code === 'bad_update',
    )
  })
}

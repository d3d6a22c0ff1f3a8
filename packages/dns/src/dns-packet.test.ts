import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode } from 'dns-packet'
import { buildMessage } from './build-message.ts'
import { DnsClass } from './dns-class.ts'
import type { Message, WireRecord } from './message.ts'
import { parseMessage } from './parse-message.ts'
import { parseRdata } from './rdata.ts'
import { canonicalForms } from './rdata-samples.test.ts'
import { parseType, RrType } from './type.ts'
import { example } from './zone-samples.test.ts'

/** dns-packet is an independent implementation of the wire format. */

function record(type: string, text: string): WireRecord {
  const code = parseType(type)
  return { name: example, type: code, class: DnsClass.IN, ttl: 300, data: parseRdata(code, text, example) }
}

function answer(...answers: WireRecord[]): Partial<Message> & { id: number } {
  return { id: 4711, qr: true, aa: true, questions: [{ name: example, type: RrType.A, class: DnsClass.IN }], answers }
}

for (const [type, text, read] of [
  ['A', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '2001:db8::1', '2001:db8::1'],
  ['MX', '10 mail', { preference: 10, exchange: 'mail.example.com' }],
  ['NS', 'ns1', 'ns1.example.com'],
  ['SRV', '1 2 3 sip', { priority: 1, weight: 2, port: 3, target: 'sip.example.com' }],
  ['CAA', '0 issue "a.example"', { flags: 0, tag: 'issue', value: 'a.example', issuerCritical: false }],
  ['TXT', '"one" "two"', [Buffer.from('one'), Buffer.from('two')]],
  ['TLSA', '3 1 1 abcd', { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.from('abcd', 'hex') }],
] as const) {
  test(`dns-packet reads ${type} \`${text}\``, () => {
    const decoded = decode(Buffer.from(buildMessage(answer(record(type, text)))))
    assert.equal(decoded.flag_aa, true)
    const [theirs] = decoded.answers ?? []
    assert.deepEqual(theirs !== undefined && 'data' in theirs ? theirs.data : undefined, read)
  })
}

/** The types that dns-packet reads and writes field by field. */
const typesOfDnsPacket = new Set(
  'A AAAA CAA CNAME DNAME DNSKEY DS HINFO MX NAPTR NS NSEC NSEC3 PTR RP RRSIG SOA SRV SSHFP TLSA TXT'.split(' '),
)

for (const [type, , canonical] of canonicalForms.filter(([type]) => typesOfDnsPacket.has(type))) {
  test(`dns-packet decodes and encodes ${type} \`${canonical}\` without changing it`, () => {
    const message = answer(record(type, canonical))
    const theirs = encode(decode(Buffer.from(buildMessage(message))))
    assert.deepEqual(parseMessage(theirs).answers, message.answers)
  })
}

test('reads a message that dns-packet builds', () => {
  const wire = encode({
    type: 'response',
    id: 9,
    questions: [{ name: 'example.com', type: 'MX' }],
    answers: [
      { name: 'example.com', type: 'MX', ttl: 300, data: { preference: 10, exchange: 'mail.example.com' } },
      { name: 'example.com', type: 'CAA', ttl: 300, data: { flags: 0, tag: 'issue', value: 'a.example' } },
    ],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 4096,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 1 << 15,
        flag_do: true,
        options: [],
      },
    ],
  })
  const message = parseMessage(wire)
  assert.deepEqual(message.answers, [record('MX', '10 mail'), record('CAA', '0 issue "a.example"')])
  assert.deepEqual(message.edns, { udpSize: 4096, version: 0, dnssecOk: true, options: [] })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rrsetRoutes } from '@zonewright/contract'
import { assertBriefTurns } from '#testing/longest-turn.ts'
import { Refusal } from '../errors.ts'
import { parseLargeJson } from './large-json.ts'

const { importZone } = rrsetRoutes
/** Enough time on any machine: a separate test checks how long a thread may take. */
const patienceMs = 600_000
const parse = (text: string, timeoutMs = patienceMs) => parseLargeJson(importZone, Buffer.from(text), timeoutMs)
const refused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

test('a 16 MB body is parsed to the same value as in the main thread, without blocking the event loop', async () => {
  const rrsets = Array.from({ length: 9_999 }, (_, i) => ({
    name: `h${i}`,
    type: 'TXT',
    ...(i % 2 === 0 && { ttl: 60 + i }),
    records: Array.from({ length: i % 5 }, (_, n) => `"${'é'.repeat(180)}${n}"`),
  }))
  const text = JSON.stringify({ rrsets })
  const bodies = Array.from({ length: 3 }, () => Buffer.from(text))
  const { value } = await assertBriefTurns('the parse', 50, (run) =>
    parseLargeJson(importZone, bodies[run] ?? Buffer.of(), patienceMs),
  )
  assert.deepEqual(value, { rrsets })
})

test('large record sets also arrive whole', async () => {
  const rrsets = Array.from({ length: 5 }, (_, i) => ({
    name: `h${i}`,
    type: 'TXT',
    records: Array.from({ length: 2_000 }, (_, n) => `"${n}${'x'.repeat(1_000)}"`),
  }))
  assert.deepEqual((await parse(JSON.stringify({ rrsets }))).value, { rrsets })
  assert.deepEqual((await parse('{"rrsets":[]}')).value, { rrsets: [] })
})

test('a byte order mark is ignored, as in a small body, and allowed only once and at the start', async () => {
  assert.deepEqual((await parse('\uFEFF{"rrsets":[]}')).value, { rrsets: [] })
  for (const text of ['\uFEFF\uFEFF{"rrsets":[]}', ' \uFEFF{"rrsets":[]}', '{"rrsets":[]}\uFEFF', '\uFEFF', ''])
    await assert.rejects(parse(text), refused('malformed_request'), JSON.stringify(text))
})

test('faults in a large body are refused like those in a small one', async () => {
  await assert.rejects(parse('{"rrsets":['), refused('malformed_request'))
  await assert.rejects(
    parseLargeJson(importZone, Buffer.from([0x22, 0xff, 0x22]), patienceMs),
    refused('malformed_request'),
  )
  await assert.rejects(parse('[]'), refused('validation_failed'))
  await assert.rejects(parse('{"rrsets":[],"__proto__":{}}'), refused('validation_failed'))
  await assert.rejects(parse('{"rrsets":[{"name":"a\\u0000","type":"A","records":[]}]}'), refused('validation_failed'))
  await assert.rejects(parse(`{"rrsets":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), refused('validation_failed'))
})

test('a thread that takes too long or fails is 503 with Retry-After, and the next body is read', async () => {
  const slow = async () => parse(`{"rrsets":[${'[],'.repeat(3_000_000)}[]]}`, 1)
  await assert.rejects(
    slow,
    (error) => refused('unavailable')(error) && (error as Refusal).headers['retry-after'] === '5',
  )
  await assert.rejects(parseLargeJson(undefined, Buffer.from('{}')), refused('unavailable'))
  assert.deepEqual((await parse('{"rrsets":[]}')).value, { rrsets: [] })
})

test('JSON whose value could exceed the thread’s memory is 413, and the process continues', async () => {
  const bodies = [
    `{"rrsets":[${'{"a":1},'.repeat(1_500_000)}{}]}`,
    `{"rrsets":[${'[],'.repeat(5_000_000)}{}]}`,
    `{"rrsets":${'['.repeat(8_000_000)}${']'.repeat(8_000_000)}}`,
    '['.repeat(16_000_000),
    `{"rrsets":[{${Array.from({ length: 1_100_000 }, (_, i) => `"${i.toString(36)}":1`).join(',')}}]}`,
    `{"rrsets":["\\\\",${'[],'.repeat(1_000_001)}"\\""]}`,
  ]
  for (const body of bodies) await assert.rejects(parse(body), refused('payload_too_large'), body.slice(0, 40))
  assert.deepEqual((await parse('{"rrsets":[]}')).value, { rrsets: [] })
})

test('brackets and colons in JSON strings take no memory of their own', async () => {
  const records = Array.from({ length: 2_000 }, (_, n) => `"${n}\\"${'[{:'.repeat(300)}\\\\"`)
  const rrsets = [{ name: 'x', type: 'TXT', records }]
  assert.deepEqual((await parse(JSON.stringify({ rrsets }))).value, { rrsets })
})

test('a body with the most values allowed fits the thread', async () => {
  const members = Array.from({ length: 999_990 }, (_, i) => `"a member ${i}":${i}`).join(',')
  await assert.rejects(parse(`{"rrsets":[{${members}}]}`), refused('validation_failed'))
  await assert.rejects(parse(`{"rrsets":[${'[1.5],'.repeat(999_990)}{}]}`), refused('validation_failed'))
  await assert.rejects(parse(`{"rrsets":[${'1.5,'.repeat(4_000_000)}{}]}`), refused('validation_failed'))
})

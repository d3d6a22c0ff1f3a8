import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from './cpu-time.test.ts'
import { DnsFault } from './faults.ts'
import type { Message } from './message.ts'
import { readMutatedPackets } from './mutated-packets.test.ts'
import { parseMessage } from './parse-message.ts'
import { RrType } from './type.ts'

const seed = 20260614

test('every mutated packet is either read or refused', (t) => {
  const tally = readMutatedPackets(seed, 40_000)
  t.diagnostic(`seed ${seed}: ${tally.read} read, ${tally.refused} refused, slowest ${tally.slowestMs.toFixed(1)} ms`)
  assert.ok(tally.read > 4000 && tally.refused > 10_000)
  assert.ok(tally.slowestMs < 1000)
})

/** A name of 255 bytes, each shown by four characters, and a chain of pointers to it with the maximum length. */
const longName = [63, 63, 63, 61].flatMap((size) => [size, ...new Array<number>(size).fill(1)])

/** A message of 64 KiB: a question with the longest name, then as many records as fit whose names lead there. */
function hostileMessage(record: (pointer: readonly number[]) => readonly number[]): Uint8Array {
  const wire = [0, 1, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...longName, 0, 0, 1, 0, 1]
  let pointer = [0xc0, 12]
  const chain: number[] = []
  const nullRecord = [0, 0, RrType.NULL, 0, 1, 0, 0, 0, 0]
  const chainAt = wire.length + nullRecord.length + 2
  for (let link = 0; link < 120; link++) {
    chain.push(...pointer)
    const at = chainAt + 2 * link
    pointer = [0xc0 | (at >> 8), at & 0xff]
  }
  wire.push(...nullRecord, chain.length >> 8, chain.length & 0xff, ...chain)
  const one = record(pointer)
  const count = Math.floor((65_535 - wire.length) / one.length)
  for (let index = 0; index < count; index++) wire.push(...one)
  wire[6] = (count + 1) >> 8
  wire[7] = (count + 1) & 0xff
  return Uint8Array.from(wire)
}

for (const [what, record] of [
  ['owner names', (pointer: readonly number[]) => [...pointer, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 1]],
  ['targets', (pointer: readonly number[]) => [0, 0, 5, 0, 1, 0, 0, 0, 0, 0, 2, ...pointer]],
  ['pairs of names', (pointer: readonly number[]) => [0, 0, 14, 0, 1, 0, 0, 0, 0, 0, 4, ...pointer, ...pointer]],
] as const) {
  test(`reads 64 KiB of ${what} at the end of pointers in bounded time and memory`, () => {
    const wire = hostileMessage(record)
    const heapBefore = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    let message: Message | undefined
    const tookMs = cpuMs(() => {
      message = parseMessage(wire)
    })
    const heapGrown = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - heapBefore
    assert.ok((message?.answers.length ?? 0) > 1500)
    assert.ok(tookMs < 1000, `${tookMs} ms`)
    assert.ok(heapGrown < 64 * 1024 * 1024, `${heapGrown} bytes`)
  })
}

test('section counts that exceed the message cost nothing', () => {
  const wire = new Uint8Array(12).fill(0xff)
  const tookMs = cpuMs(() => {
    for (let times = 0; times < 1000; times++) assert.throws(() => parseMessage(wire), DnsFault)
  })
  assert.ok(tookMs < 1000, `${tookMs} ms`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readMutatedPackets } from './mutated-packets.test.ts'

const seed = 9_182_736
const packets = 1_000_000

test('reads or refuses each of a million mutated packets in bounded time, without a memory leak', (t) => {
  const heapBefore = heapInUse()
  const startedAt = performance.now()
  const { read, refused, slowestMs } = readMutatedPackets(seed, packets)
  const seconds = (performance.now() - startedAt) / 1000
  const grownMiB = (heapInUse() - heapBefore) / 1024 / 1024
  t.diagnostic(`seed ${seed}: ${read} read, ${refused} refused in ${seconds.toFixed(1)} s`)
  t.diagnostic(`slowest ${slowestMs.toFixed(1)} ms, ${grownMiB.toFixed(1)} MiB more in use than before`)
  assert.ok(read > packets / 10 && refused > packets / 4)
  assert.ok(slowestMs < 1000)
  assert.ok(grownMiB < 16)
})

/** Bytes in use after everything that can be freed was freed. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

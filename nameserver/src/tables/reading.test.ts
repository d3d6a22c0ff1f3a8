import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { diffRrsets, InfoCode, Rcode, type Zone } from '@zonewright/dns'
import type { ReadingData, ReadingReport } from '../testing/reading-thread.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { Tables } from './tables.ts'

const rounds = 2000
const versionCount = 60
const filling = Array.from({ length: 30 }, (_, index) => `n${index} A 192.0.2.1`)

/** Odd versions have a wildcard that answers any name, and even versions have `flip` instead. */
function version(serial: number): Zone {
  const changing = serial % 2 === 1 ? ['* TXT "any"'] : ['flip TXT "there"']
  const target = [`alias CNAME v${serial}.target`, `v${serial}.target TXT "v${serial}"`]
  return zoneOf('example.', serial, ['steady TXT "x"', ...filling.slice(serial % 20), ...target, ...changing])
}

/** Two readers that query until `stop`. */
async function startReaders(test: TestContext, tables: Tables, comesAndGoes = false) {
  const stop = new SharedArrayBuffer(4)
  const passes = new SharedArrayBuffer(3 * 4)
  const passed = new Int32Array(passes)
  const started = await Promise.all(
    [1, 2].map((reader) => startReader(test, { tables: tables.segments.handle, stop, reader, passes, comesAndGoes })),
  )
  return {
    workers: started.map(({ worker }) => worker),
    /**
     * Waits until each reader has started and finished a new round, however rarely it runs. It then uses no earlier memory, and has sent its queries.
     */
    moveOn: async () => {
      const [, ...before] = passed
      while (before.some((count, index) => Atomics.load(passed, index + 1) - count < 2))
        await new Promise((resolve) => setImmediate(resolve))
    },
    stop: async () => {
      Atomics.store(new Int32Array(stop), 0, 1)
      return await Promise.all(started.map(({ report }) => report))
    },
  }
}

async function startReader(test: TestContext, data: ReadingData) {
  const worker = new Worker(new URL('../testing/reading-thread.ts', import.meta.url), { workerData: data })
  test.after(() => worker.terminate())
  await once(worker, 'message')
  return { worker, report: once(worker, 'message').then(([report]) => report as ReadingReport) }
}

it('no thread ever sees a partial change, by difference or as a whole, while memory is reused', async (test) => {
  const readers: Worker[] = []
  const tables = new Tables({
    segmentBytes: 2 ** 18,
    onSegment: (buffer) => {
      for (const reader of readers) reader.postMessage(buffer)
    },
  })
  const versions = Array.from({ length: versionCount }, (_, index) => version(index + 1))
  let held = version(1)
  tables.publish(held.origin, held.rrsets())
  const reading = await startReaders(test, tables)
  readers.push(...reading.workers)

  for (let round = 1; round <= rounds; round++) {
    const next = versions[round % versionCount] ?? held
    if (round % 3 === 0) tables.publish(next.origin, next.rrsets())
    else tables.apply(next.origin, diffRrsets(held.rrsets(), next.rrsets()))
    held = next
    // Frees the readers' memory from time to time, as between transfers. The number is odd, so that they see both kinds of versions.
    if (round % 45 === 0) await reading.moveOn()
  }
  for (const { torn, queries, rcodes } of await reading.stop()) {
    assert.deepEqual(torn, [])
    assert.ok(queries > 100, `${queries} queries`)
    assert.deepEqual(Object.keys(rcodes), ['0', '3'])
  }
  assert.ok(tables.reservedBytes < 8 * 2 ** 18, `${tables.reservedBytes} bytes`)
})

it('no answer is empty while the zone is withheld, published, resumed and removed', async (test) => {
  const tables = new Tables()
  const versions = Array.from({ length: versionCount }, (_, index) => version(index + 1))
  const [{ origin } = version(1)] = versions
  const reading = await startReaders(test, tables, true)
  const publish = (round: number) => tables.publish(origin, versions[round % versionCount]?.rrsets() ?? [])
  const steps = [
    () => tables.withhold(origin, InfoCode.INVALID_DATA),
    publish,
    publish,
    () => tables.withhold(origin, InfoCode.INVALID_DATA),
    () => tables.resume(origin),
    () => tables.remove(origin),
    publish,
    () => tables.remove(origin),
  ]
  for (let round = 0; round < rounds; round++) {
    steps[round % steps.length]?.(round)
    if (round % 45 === 0) await reading.moveOn()
  }
  for (const { torn, queries, rcodes } of await reading.stop()) {
    assert.deepEqual(torn, [])
    assert.ok(queries > 100, `${queries} queries`)
    assert.ok((rcodes[Rcode.SERVFAIL] ?? 0) + (rcodes[Rcode.REFUSED] ?? 0) > 0, JSON.stringify(rcodes))
  }
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { diffRrsets, parseName, typeToText, type Zone } from '@zonewright/dns'
import { queryFor } from '../testing/ask.ts'
import { denials, maybeSigned, record } from '../testing/bad-signed-zones.ts'
import { expectedText, questionsTo } from '../testing/signed-questions.ts'
import type { SignedReadingData, SignedReadingReport } from '../testing/signed-reading-thread.ts'
import { zoneWith } from '../testing/zone-of.ts'
import { Tables } from './tables.ts'

const rounds = 600
const origin = parseName('moving.example.')
function version(serial: number): Zone {
  // Each kind of denial stays for two versions, so that differences within it change its chain.
  const denial = denials[(serial >> 1) % denials.length]
  const more = Array.from({ length: serial % 5 }, (_, index) => record(origin, `n${index}`, 'A', '192.0.2.7'))
  return zoneWith(origin, maybeSigned(origin, denial, more, serial))
}

it('no thread ever sees an answer that mixes two kinds of signing while a zone changes between them', async (test) => {
  const readers: Worker[] = []
  const tables = new Tables({
    segmentBytes: 2 ** 18,
    onSegment: (buffer) => {
      for (const reader of readers) reader.postMessage(buffer)
    },
  })
  const versions = Array.from({ length: 20 }, (_, index) => version(index + 1))
  const [first] = versions
  assert.ok(first)
  tables.publish(origin, first.rrsets())
  const questions = questionsTo(versions[2] ?? first)
  const withDo = { edns: { udpSize: 1232, version: 0, dnssecOk: true, options: [] } }
  const stop = new SharedArrayBuffer(4)
  const data = {
    tables: tables.segments.handle,
    stop,
    queries: questions.map(([name, type]) => queryFor(name, typeToText(type), withDo)),
    allowed: questions.map(([name, type]) => new Set(versions.map((zone) => expectedText(zone, name, type)))),
  }
  const reports: Promise<SignedReadingReport>[] = []
  for (const reader of [1, 2]) {
    const workerData: SignedReadingData = { ...data, reader }
    const worker = new Worker(new URL('../testing/signed-reading-thread.ts', import.meta.url), { workerData })
    test.after(() => worker.terminate())
    await once(worker, 'message')
    readers.push(worker)
    reports.push(once(worker, 'message').then(([report]) => report as SignedReadingReport))
  }
  let held = first
  for (let round = 1; round <= rounds; round++) {
    const next = versions[round % versions.length] ?? first
    tables.apply(origin, diffRrsets(held.rrsets(), next.rrsets()))
    held = next
    if (round % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  Atomics.store(new Int32Array(stop), 0, 1)
  for (const { answered, wrong } of await Promise.all(reports)) {
    assert.deepEqual(wrong, [])
    assert.ok(answered > 200, `${answered} answers`)
  }
})

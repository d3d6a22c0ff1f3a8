// A large installation is announced by a leader that goes on saying that it leads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName } from '@zonewright/dns'
import { delegateTo } from '#modules/records/index.ts'
import { createLogger } from '#platform/log.ts'
import { createMetrics } from '#platform/metrics.ts'
import { Announcer } from './announcer.ts'
import { createFigures } from './figures.ts'
import { openTestWorld, testCatalog } from './test-publication.ts'
import { testKey } from './test-secondary.ts'
import { plantZones } from './test-zones.ts'

test('while all zones are announced, other work of the process has its turn after each thousand of them', async () => {
  const { database, nameservers, start, onEnd } = await openTestWorld()
  const [ns1, ns2] = await nameservers()
  const { stop } = await start([ns1.entry, ns2.entry])
  await stop()
  await plantZones(database, 'many', 3_000)
  const configured = [ns1.entry].map(({ name }) => ({ name, endpoint: { host: '127.0.0.1', port: 9 } }))
  const announcer = new Announcer({
    database,
    log: createLogger('test', 'silent'),
    figures: createFigures(createMetrics()),
    configured,
    retired: [],
    key: testKey,
    catalog: parseName(`${testCatalog}.`),
    delegate: delegateTo([]),
    isLeading: () => true,
  })
  onEnd(() => announcer.stop())
  let isDone = false
  const compared = announcer.compare().then(() => {
    isDone = true
  })
  const seen = new Set<number>()
  const [line] = announcer.lines
  while (!isDone) {
    seen.add(Math.floor((line?.zoneCount ?? 0) / 500))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await compared
  // None, those of one turn, those of two: never from none to all.
  assert.ok(seen.size >= 3, [...seen].join())
})

// The hidden primary's connections are for those who have our key.
import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { parseName, Rcode, type ResourceRecord, soaQuery } from '@zonewright/dns'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { soaOfSerial, TestSecondary, testKey } from '#testing/primary/test-secondary.ts'
import { createPrimaryFigures } from './figures.ts'
import { openPrimaryServer } from './primary-server.ts'
import type { TransferSource } from './rules.ts'
import { TransferTurns } from './transfer-turns.ts'

const origin = parseName('zone.test.')
const strangerMs = 10_000

/** The number of requested SOA records, and the result of a request. */
const asked = { count: 0, found: Promise.resolve<ResourceRecord | undefined>(soaOfSerial(origin, 7)) }
const source: TransferSource = {
  soa: () => {
    asked.count++
    return asked.found
  },
  since: async () => undefined,
  whole: async () => undefined,
}

const server = await openPrimaryServer(
  { host: '127.0.0.1', port: 0 },
  {
    source,
    turns: new TransferTurns(),
    keys: [testKey],
    log: createLogger('test', 'silent'),
    figures: createPrimaryFigures(createMetrics()),
    onServed: () => undefined,
  },
)
mock.timers.enable({ apis: ['setTimeout'] })
after(async () => {
  mock.timers.reset()
  await server.close(0)
})

function rcodeFor(secondary: TestSecondary, key: typeof testKey | null): Promise<number> {
  return secondary.ask(
    (id) => soaQuery(id, origin),
    ({ rcode }) => rcode,
    key,
  )
}

test('a connection that does not show our key in time is closed, whatever else it sends in the meantime', async () => {
  const stranger = await TestSecondary.connect(server.address)
  for (let second = 1; second < strangerMs / 1_000; second++) {
    assert.equal(await rcodeFor(stranger, null), Rcode.REFUSED)
    mock.timers.tick(1_000)
  }
  assert.equal(await rcodeFor(stranger, null), Rcode.REFUSED)
  mock.timers.tick(1_000)
  await assert.rejects(rcodeFor(stranger, null), /the connection was closed/)
})

test('a connection that has shown our key stays open', async () => {
  const secondary = await TestSecondary.connect(server.address)
  assert.equal(await rcodeFor(secondary, testKey), Rcode.NOERROR)
  mock.timers.tick(strangerMs)
  assert.equal(await rcodeFor(secondary, testKey), Rcode.NOERROR)
  secondary.close()
})

test('a connection with our key stays open even if its first answer takes longer than that', async () => {
  const secondary = await TestSecondary.connect(server.address)
  const slow = Promise.withResolvers<ResourceRecord>()
  asked.found = slow.promise
  const before = asked.count
  const answered = rcodeFor(secondary, testKey)
  while (asked.count === before) await new Promise((resolve) => setImmediate(resolve))
  mock.timers.tick(strangerMs)
  slow.resolve(soaOfSerial(origin, 7))
  assert.equal(await answered, Rcode.NOERROR)
  secondary.close()
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Endpoint } from '../endpoint.ts'
import { startNameserver } from '../server.ts'
import { ask } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { runPrimary, runSecondary, temporaryDirectory, untilSerial } from '../testing/run-secondary.ts'
import { usualRateLimits } from './rate-limiter.ts'

const zone = 'example.'
/** A client that sends more queries gets truncated responses. */
const rateLimits = { ...usualRateLimits, answersPerSecond: 1, answersPerPrefix: 1 }

async function truncatedOf(endpoint: Endpoint, queries: number): Promise<number> {
  let truncated = 0
  for (let each = 0; each < queries; each++) truncated += Number((await ask(endpoint, zone, 'SOA')).tc)
  return truncated
}

test('only the primary is exempt from the rate limits', async (context) => {
  const primary = await runPrimary(context)
  primary.publish(zone, 1, [])
  primary.list(zone)
  const secondary = await runSecondary(context, primary, temporaryDirectory(context), rateLimits)
  await untilSerial(secondary.endpoint, zone, 1)
  assert.equal(await truncatedOf(secondary.endpoint, 50), 0)

  const directory = temporaryDirectory(context)
  writeFileSync(join(directory, 'example.zone'), '@ 300 SOA ns hostmaster 1 2 3 4 5\n@ 300 NS ns\n')
  const listen = [{ host: '127.0.0.1', port: 0 }]
  const source = { kind: 'files', directory } as const
  const nameserver = await startNameserver({ listen, source, door: 'portable', rateLimits }, keptLog())
  context.after(() => nameserver.stop())
  const [endpoint = listen[0] as Endpoint] = nameserver.endpoints
  assert.ok((await truncatedOf(endpoint, 50)) > 0)
})

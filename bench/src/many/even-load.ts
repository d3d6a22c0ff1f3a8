// A steady load of PUTs, as a process of its own: even-load.ts BASE_URL,… KEY,… ZONE,… RATE SECONDS.
// Each change goes at its own moment to the next API, whatever became of those before. A driver that also did something else would send
// several in one moment when it comes back to it, and they would share a transaction of one API, or not of two.
// Prints one JSON line: how many were accepted.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LeanClient } from '../lean-client.ts'

/** What the load says when it is done. */
export interface EvenLoadResult {
  readonly accepted: number
}

const [bases = [], keys = [], zones = [], [rate = ''] = [], [seconds = ''] = []] = process.argv
  .slice(2)
  .map((text) => text.split(','))
/** So many that a slow answer holds no other change back. */
const connections = 40
const clients = Array.from({ length: connections }, (_, i) => new LeanClient(bases[i % bases.length] ?? ''))
const startedMs = performance.now()
const statuses: Promise<number>[] = []
for (let n = 0; n < Number(rate) * Number(seconds); n++) {
  const waitMs = startedMs + (n * 1_000) / Number(rate) - performance.now()
  if (waitMs > 0) await delay(waitMs)
  const path = `/api/v1/zones/${zones[n % zones.length]}/rrsets/m/A`
  const body = JSON.stringify({ records: [`10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`] })
  const client = clients[n % connections] as LeanClient
  statuses.push(client.request('PUT', path, keys[n % keys.length] ?? '', body))
}
const refused = (await Promise.all(statuses)).filter((status) => status >= 300)
if (refused.length > 0) throw new Error(`${refused.length} changes were refused, the first with ${refused[0]}`)
for (const client of clients) client.close()
const result: EvenLoadResult = { accepted: statuses.length }
process.stdout.write(`${JSON.stringify(result)}\n`)

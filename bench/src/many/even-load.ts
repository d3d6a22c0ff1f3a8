// A steady load of PUTs, as a process of its own: even-load.ts BASE_URL,… KEY,… ZONE,… RATE SECONDS.
// Sends each change to the next API at its scheduled time, whatever the outcome of earlier ones. A driver that also did other work would send
// several at once when it returned to this, and they would share a transaction of one API, but not of two.
// Prints one JSON line: how many were accepted.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LeanClient } from '../lean-client.ts'

/** The result of the load. */
export interface EvenLoadResult {
  readonly accepted: number
}

const [bases = [], keys = [], zones = [], [rate = ''] = [], [seconds = ''] = []] = process.argv
  .slice(2)
  .map((text) => text.split(','))
const connections = 40
/** For each API, the connections that are idle. A new one is opened when slow responses occupy all of them. */
const idle = bases.map((base) => Array.from({ length: connections / bases.length }, () => new LeanClient(base)))
const statuses: Promise<number>[] = []
const startedMs = performance.now()
for (let n = 0; n < Number(rate) * Number(seconds); n++) {
  const waitMs = startedMs + (n * 1_000) / Number(rate) - performance.now()
  if (waitMs > 0) await delay(waitMs)
  statuses.push(change(n))
}
const refused = (await Promise.all(statuses)).filter((status) => status >= 300)
if (refused.length > 0) throw new Error(`${refused.length} changes were refused, the first with ${refused[0]}`)
for (const client of idle.flat()) client.close()
const result: EvenLoadResult = { accepted: statuses.length }
process.stdout.write(`${JSON.stringify(result)}\n`)

async function change(n: number): Promise<number> {
  const path = `/api/v1/zones/${zones[n % zones.length]}/rrsets/m/A`
  const body = JSON.stringify({ records: [`10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`] })
  const its = idle[n % bases.length] ?? []
  const client = its.shift() ?? new LeanClient(bases[n % bases.length] ?? '')
  const status = await client.request('PUT', path, keys[n % keys.length] ?? '', body)
  its.push(client)
  return status
}

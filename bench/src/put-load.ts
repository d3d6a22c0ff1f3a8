// A load of PUTs from many clients, as a process of its own: put-load.ts BASE_URL KEY ZONES CLIENTS SECONDS.
// Each PUT changes one rrset of a zone taken at random. Prints one JSON line: how many were accepted, refused, how fast.
import { Pool } from 'undici'
import { percentile } from './report.ts'

/** What the load says when it is done. */
export interface PutLoadResult {
  readonly accepted: number
  readonly refused: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const [baseUrl = '', key = '', zones = '', clientsText = '', secondsText = ''] = process.argv.slice(2)
const zoneNames = zones.split(',')
const seconds = Number(secondsText)
const pool = new Pool(baseUrl, { connections: Number(clientsText), pipelining: 1 })
const latencies: number[] = []
let refused = 0
const end = performance.now() + seconds * 1000

await Promise.all(Array.from({ length: Number(clientsText) }, (_, client) => putUntilTheEnd(client)))
const result: PutLoadResult = {
  accepted: latencies.length,
  refused,
  perSecond: latencies.length / seconds,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)

async function putUntilTheEnd(client: number): Promise<void> {
  for (let i = 0; performance.now() < end; i++) {
    const zone = zoneNames[Math.floor(Math.random() * zoneNames.length)]
    const began = performance.now()
    const answer = await pool.request({
      method: 'PUT',
      path: `/api/v1/zones/${zone}/rrsets/c${client}-${i % 50}/A`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      // Never what is there already: a change without effect would cost next to nothing.
      body: JSON.stringify({
        ttl: 300,
        records: [
          `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
          `192.0.2.${1 + Math.floor(Math.random() * 250)}`,
        ],
      }),
    })
    await answer.body.dump()
    if (answer.statusCode < 300) latencies.push(performance.now() - began)
    else refused += 1
  }
}

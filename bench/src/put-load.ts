// A load of PUTs from many clients, as a process of its own: put-load.ts BASE_URL,… KEY,… ZONE,… CLIENTS SECONDS.
// Each client has one of the APIs, takes one key after another, and changes one rrset after another in zones of its own. Prints one JSON
// line: how many were accepted, refused, how fast. What comes after a change (transfers, events) is done up to two seconds later: so long
// it goes on before it counts, and whoever begins to count pays for those before.
import { LeanClient } from './lean-client.ts'
import { percentile } from './report.ts'

/** The result of the load. */
export interface PutLoadResult {
  readonly accepted: number
  /** Including those before the count began. */
  readonly acceptedInAll: number
  readonly refused: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const [basesText = '', keysText = '', zones = '', clientsText = '', secondsText = ''] = process.argv.slice(2)
const bases = basesText.split(',')
const zoneNames = zones.split(',')
const keys = keysText.split(',')
const clients = Number(clientsText)
const seconds = Number(secondsText)
const uncountedMs = 2_000
const latencies: number[] = []
let acceptedInAll = 0
let refused = 0
const start = performance.now() + uncountedMs
const end = start + seconds * 1000

await Promise.all(Array.from({ length: clients }, (_, client) => putUntilTheEnd(client)))
const result: PutLoadResult = {
  accepted: latencies.length,
  acceptedInAll,
  refused,
  perSecond: latencies.length / seconds,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
}
process.stdout.write(`${JSON.stringify(result)}\n`)

async function putUntilTheEnd(client: number): Promise<void> {
  const http = new LeanClient(bases[client % bases.length] ?? '')
  for (let i = 0; performance.now() < end; i++) {
    const zone = zoneNames[(client + i * clients) % zoneNames.length]
    // Never the existing value, because a change without effect would cost almost nothing.
    const changing = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
    const body = JSON.stringify({ ttl: 300, records: [changing, `192.0.2.${1 + Math.floor(Math.random() * 250)}`] })
    const began = performance.now()
    const key = keys[(client + i * clients) % keys.length] ?? ''
    const status = await http.request('PUT', `/api/v1/zones/${zone}/rrsets/c${client}-${i % 50}/A`, key, body)
    const ended = performance.now()
    if (status >= 300) refused += 1
    else {
      acceptedInAll += 1
      if (ended >= start) latencies.push(ended - began)
    }
  }
  http.close()
}

// A load of changes from many clients, as a process of its own: put-load.ts BASE_URL,… KEY,… ZONE,… CLIENTS SECONDS [WAY]. They are PUTs of the API,
// or the same changes through a door. Each client has one of the APIs, takes one key after another, and changes one rrset after another in zones of
// its own. Prints one JSON line: how many were accepted, refused, and how fast. The work after a change (transfers, events) is done up to two seconds
// later. So the load runs that long before it counts, and the measured time includes the work of these earlier changes.
import { LeanClient } from './lean-client.ts'
import { percentile } from './report.ts'

/** The result of the load. */
export interface PutLoadResult {
  readonly accepted: number
  /** Including those before the count began. */
  readonly acceptedInAll: number
  readonly refused: number
  /** The first refusal, as it was received. */
  readonly refusal?: string | undefined
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Ways to give an A rrset these values, as method, path, headers and body. */
const ways = {
  api: (key: string, zone: string, name: string, records: readonly string[]) =>
    ['PUT', `/api/v1/zones/${zone}/rrsets/${name}/A`, bearer(key), { ttl: 300, records }] as const,
  powerdns: (key: string, zone: string, name: string, records: readonly string[]) => {
    const rrset = { name: `${name}.${zone}.`, type: 'A', ttl: 300, changetype: 'REPLACE' }
    const entries = records.map((content) => ({ content, disabled: false }))
    const path = `/api/v1/servers/localhost/zones/${zone}.`
    return ['PATCH', path, { 'x-api-key': key }, { rrsets: [{ ...rrset, records: entries }] }] as const
  },
  dyndns2: (key: string, zone: string, name: string, [address = '']: readonly string[]) => {
    const authorization = `Basic ${Buffer.from(`x:${key}`).toString('base64')}`
    return ['GET', `/nic/update?hostname=${name}.${zone}&myip=${address}`, { authorization }, undefined] as const
  },
}

const [basesText = '', keysText = '', zones = '', clientsText = '', secondsText = '', way = 'api'] =
  process.argv.slice(2)
const requestOf = ways[way as keyof typeof ways]
const bases = basesText.split(',')
const zoneNames = zones.split(',')
const keys = keysText.split(',')
const clients = Number(clientsText)
const seconds = Number(secondsText)
const uncountedMs = 2_000
/** Names that each client changes in turn. A host of dyndns2 may change only a few times in an hour, so each load begins at another one. */
const names = way === 'dyndns2' ? 20_000 : 50
/** Part of every address, because a later load has the same names. */
const run = Math.floor(Math.random() * 256)
const latencies: number[] = []
let acceptedInAll = 0
let refused = 0
let refusal: string | undefined
const start = performance.now() + uncountedMs
const end = start + seconds * 1000

await Promise.all(Array.from({ length: clients }, (_, client) => putUntilTheEnd(client)))
const result: PutLoadResult = {
  accepted: latencies.length,
  acceptedInAll,
  refused,
  refusal,
  perSecond: latencies.length / seconds,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
}
process.stdout.write(`${JSON.stringify(result)}\n`)

async function putUntilTheEnd(client: number): Promise<void> {
  const http = new LeanClient(bases[client % bases.length] ?? '')
  for (let i = 0; performance.now() < end; i++) {
    const zone = zoneNames[(client + i * clients) % zoneNames.length] ?? ''
    // Never the existing value, because a change without effect would cost almost nothing.
    const changing = `10.${run}.${(i >> 8) & 255}.${i & 255}`
    const records = [changing, `192.0.2.${1 + Math.floor(Math.random() * 250)}`]
    const key = keys[(client + i * clients) % keys.length] ?? ''
    const [method, path, headers, body] = requestOf(key, zone, `c${client}-${(i + run * 80) % names}`, records)
    const text = body === undefined ? '' : JSON.stringify(body)
    const began = performance.now()
    const { status, text: answer } = await http.send(method, path, headers, text)
    const ended = performance.now()
    if (status >= 300 || (way === 'dyndns2' && !answer.startsWith('good'))) {
      refused += 1
      refusal ??= `${status} ${answer}`
    } else {
      acceptedInAll += 1
      if (ended >= start) latencies.push(ended - began)
    }
  }
  http.close()
}

function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` }
}

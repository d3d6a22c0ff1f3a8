// A well-behaved customer, as a process of its own: customer.ts BASE_URL KEY,… ZONE SECONDS.
// Alternately reads and changes one record set, each at its scheduled time, with one key after another. Prints one JSON line: how long each took.
import { setTimeout as delay } from 'node:timers/promises'
import { LeanClient } from '../lean-client.ts'

/** The customer's measurements: milliseconds of each request, in order. */
export interface CustomerResult {
  readonly tookMs: readonly number[]
}

const requestsPerSecond = 50
const [base = '', keysText = '', zone = '', secondsText = ''] = process.argv.slice(2)
const keys = keysText.split(',')
const http = new LeanClient(base)
const tookMs: number[] = []
const path = `/api/v1/zones/${zone}/rrsets/customer/A`
await change(0)
const startedMs = performance.now()
for (let n = 0; n < requestsPerSecond * Number(secondsText); n++) {
  const waitMs = startedMs + (n * 1_000) / requestsPerSecond - performance.now()
  if (waitMs > 0) await delay(waitMs)
  const began = performance.now()
  const status = n % 2 === 0 ? await change(n) : await http.request('GET', path, keyOf(n), '')
  tookMs.push(performance.now() - began)
  if (status >= 300) throw new Error(`the customer was answered ${status}`)
}
http.close()
process.stdout.write(`${JSON.stringify({ tookMs } satisfies CustomerResult)}\n`)

function change(n: number): Promise<number> {
  const body = JSON.stringify({
    ttl: 300,
    records: [`10.${Math.floor(Math.random() * 256)}.${(n >> 8) & 255}.${n & 255}`],
  })
  return http.request('PUT', path, keyOf(n), body)
}

function keyOf(n: number): string {
  return keys[n % keys.length] ?? ''
}

// One caller's flood, in its own process: flood.ts FLOOD (JSON). It sends only to loopback addresses, and ends automatically.
// Each connection sends its next request as soon as the previous one is answered; with `perSecond`, at its scheduled time and no sooner.
// Prints one JSON line: the number of responses with each status.
import { setTimeout as delay } from 'node:timers/promises'
import { LeanClient } from '../lean-client.ts'

/** The requests to send. `#` in path and body becomes the number of the request. */
export interface Flood {
  readonly base: string
  /** Its source address. */
  readonly from: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly seconds: number
  /** Requests per second of all connections together; omitted: as many as are answered. */
  readonly perSecond?: number
}

/** The number of responses, by their status. */
export type FloodResult = Readonly<Record<string, number>>

const connections = 32
/** The upper limit of requests. */
const mostRequests = 200_000

const flood = JSON.parse(process.argv[2] ?? '') as Flood
if (!['127.', '[::1]'].some((loopback) => new URL(flood.base).hostname.startsWith(loopback)))
  throw new Error('the flood may only go to this machine')
const answered: Record<string, number> = {}
let sent = 0
const startedMs = performance.now()
const endMs = startedMs + flood.seconds * 1_000
await Promise.all(Array.from({ length: connections }, sendUntilTheEnd))
process.stdout.write(`${JSON.stringify(answered)}\n`)

async function sendUntilTheEnd(): Promise<void> {
  const http = new LeanClient(flood.base, { localAddress: flood.from })
  while (performance.now() < endMs && sent < mostRequests) {
    const n = String(sent++)
    if (flood.perSecond !== undefined) {
      const dueMs = startedMs + (Number(n) * 1_000) / flood.perSecond
      if (dueMs >= endMs) break
      if (dueMs > performance.now()) await delay(dueMs - performance.now())
    }
    const { path, body, method, headers } = flood
    // A response that is pending at the end is not awaited.
    const left = delay(Math.max(0, endMs - performance.now()), undefined, { ref: false })
    const answer = await Promise.race([
      http.send(method, path.replaceAll('#', n), headers, body.replaceAll('#', n)),
      left,
    ])
    if (answer === undefined) break
    answered[answer.status] = (answered[answer.status] ?? 0) + 1
  }
  http.close()
}

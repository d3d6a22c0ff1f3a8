// Sends the requests of the fuzz test from its own process, so that its work does not count as the server's time.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { RawConnection } from '../raw-connection.ts'
import type { Facts } from './from-schema.ts'
import { faultOf } from './judge.ts'
import { bytesOf, type Callers, type Target, type WireCase, wireCase } from './wire-case.ts'

/** All requests of a route. `again`: only these requests, one at a time and several times each. */
export interface FuzzJob {
  readonly port: number
  readonly seed: number
  readonly count: number
  readonly target: Target
  readonly facts: Facts
  readonly callers: Callers
  readonly again?: readonly number[]
}

/** The result of a request. Times are from the machine's clock, in milliseconds. */
export interface FuzzedCase {
  readonly index: number
  readonly beganMs: number
  readonly endedMs: number
  readonly status: number
  readonly fault: string | undefined
  /** The request in readable form. */
  readonly request: string
  /** Minimum duration of JSON.parse for its body. */
  readonly parseMs: number
}

const atOnce = 4
const timesAgain = 3
/** Guesses are limited by address, so the client changes its address after this many requests. */
const requestsOfStranger = 8

process.on('message', (job: FuzzJob) => {
  run(job).then(
    (cases) => process.send?.({ cases }),
    (error: unknown) => process.send?.({ failed: String((error as Error).stack ?? error) }),
  )
})

async function run(job: FuzzJob): Promise<FuzzedCase[]> {
  const { target, facts, callers, seed, count } = job
  const cases = fc.sample(wireCase(target, facts, callers), { seed: seedOf(seed, target.id), numRuns: count })
  const wanted =
    job.again?.flatMap((index) => Array.from({ length: timesAgain }, () => index)) ?? cases.map((_, n) => n)
  const went: FuzzedCase[] = []
  const sender = async (n: number): Promise<void> => {
    const line = new Line(job.port, n)
    for (let index = wanted.shift(); index !== undefined; index = wanted.shift())
      went.push(await line.send(target, cases[index] as WireCase, index, job.again !== undefined))
    line.close()
  }
  await Promise.all(Array.from({ length: job.again ? 1 : atOnce }, (_, n) => sender(n)))
  return went
}

/** The cases of a route depend only on the seed and the route. */
function seedOf(seed: number, id: string): number {
  return createHash('sha256').update(`${seed} ${id}`).digest().readInt32BE()
}

/** One connection after the other, each from another address, as if there were many callers. */
class Line {
  readonly #port: number
  readonly #number: number
  #opened = 0
  #sent = 0
  #connection: RawConnection | undefined

  constructor(port: number, number: number) {
    this.#port = port
    this.#number = number
  }

  async send(target: Target, one: WireCase, index: number, isMeasured: boolean): Promise<FuzzedCase> {
    const bytes = bytesOf(one)
    const parseMs = isMeasured ? parseMsOf(one.body) : 0
    this.#connection ??= await this.#open()
    const beganMs = now()
    let response = await this.#connection.exchange(bytes, one.method)
    // If the server closed the connection just after its last response, this is not an error.
    if (response === undefined && this.#opened > 1) {
      this.#connection = await this.#open()
      response = await this.#connection.exchange(bytes, one.method)
    }
    const endedMs = now()
    const status = response?.status ?? 0
    this.#sent++
    const isSpent = target.isAuth && this.#sent % requestsOfStranger === 0
    if (response === undefined || isSpent || /close/i.test(response.headers['connection'] ?? '')) this.close()
    const fault = faultOf(target, response)
    const request = fault === undefined && !isMeasured ? '' : shown(one)
    return { index, beganMs, endedMs, status, fault, request, parseMs }
  }

  close(): void {
    this.#connection?.close()
    this.#connection = undefined
  }

  async #open(): Promise<RawConnection> {
    this.close()
    this.#opened++
    const n = (this.#number * 5_000 + this.#opened) % 60_000
    return await RawConnection.open(this.#port, `127.9.${n >> 8}.${n & 255 || 1}`)
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

function parseMsOf(body: Buffer | undefined): number {
  const text = body?.toString() ?? ''
  const times = [0, 1, 2].map(() => {
    const began = performance.now()
    try {
      JSON.parse(text)
    } catch {
      // A failure takes the same time.
    }
    return performance.now() - began
  })
  return Math.min(...times)
}

function shown({ method, target, headers, body, isChunked }: WireCase): string {
  const brief = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text)
  const lines = headers.map(([name, value]) => `${name}: ${/Authorization|Cookie/.test(name) ? '…' : brief(value)}`)
  const content = body === undefined ? '' : `${isChunked ? ' (chunked)' : ''} ${brief(body.toString('latin1'))}`
  return `${method} ${brief(target)} [${lines.join(' | ')}]${content}`
}

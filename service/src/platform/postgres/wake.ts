import type pg from 'pg'
import type { Logger } from '../log.ts'
import { keepalive } from './keepalive.ts'
import { LeaderHost } from './leader-host.ts'

/** The application name of the session for wake-ups: each process of the service has one. */
export const wakeApplication = 'zonewright wake'

/** The messages between processes after a commit. The payload is a hint: every listener also sweeps. */
export type WakeChannel =
  | 'zones_changed'
  | 'events_ready'
  | 'fan_out_free'
  | 'lanes_due'
  | 'lanes_changed'
  | 'catalog_changed'
  | 'mails_due'
  | 'orders_due'
  | 'payments_due'
  | 'domains_due'

/** Longest time that a wake-up waits for others to share its NOTIFY. */
const coalesceMs = 5
/** PostgreSQL refuses payloads of 8,000 bytes or more. */
const maxPayloadBytes = 7_900
/** Longest time for PostgreSQL to accept a connection, and for each statement: a sweep finds what a later wake-up would be for. */
const answerWithinMs = 5_000

/**
 * Wakes other processes (and this one) through PostgreSQL's NOTIFY, on a connection of its own.
 *
 * Call it only after the commit: a NOTIFY inside a writing transaction serializes all commits (measured 7,700/s against 390/s on a 2 ms disk). A lost
 * wake-up costs at most a sweep's second.
 */
export class Wake {
  readonly #leader: LeaderHost
  readonly #log: Logger
  readonly #listeners = new Map<WakeChannel, Set<(items: string[]) => void>>()
  readonly #waiting = new Map<WakeChannel, Set<string>>()
  /** Channels on which only this process acts, and how many times each is kept (`keep`). */
  readonly #kept = new Map<WakeChannel, number>()
  #timer: NodeJS.Timeout | undefined
  #lastSentAt = 0
  #client: pg.Client | undefined
  /** Settles when the last statement given to the connection is done: it takes one at a time. */
  #idle: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(address: string | LeaderHost, log: Logger) {
    this.#leader = LeaderHost.of(address)
    this.#log = log
  }

  /** Connects, and reconnects whenever PostgreSQL goes away. Resolves once it listens. */
  async start(): Promise<void> {
    const client = new this.#leader.Client({
      application_name: wakeApplication,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      ...keepalive,
      pipeline: true, // a statement without an answer ends the connection
    })
    // A failure rejects the statement, and a lost connection emits `end`; without a listener, this event would end the process.
    client.on('error', () => undefined)
    client.on('notification', ({ channel, payload }) => this.#hear(channel as WakeChannel, payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.#listeners.keys()) await client.query(`listen ${channel}`)
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
    if (this.#closed) return client.end()
    // Only from here on, because the caller repeats a failed attempt. Otherwise, attempts would multiply.
    client.once('end', () => this.#reconnect())
    this.#client = client
    this.#idle = Promise.resolve()
    this.#send()
  }

  /** Calls `listener` for every wake-up on a channel, with its items. No items means that everything has to be checked. */
  on(channel: WakeChannel, listener: (items: string[]) => void): void {
    const known = this.#listeners.get(channel)
    if (known) known.add(listener)
    else {
      this.#listeners.set(channel, new Set([listener]))
      const client = this.#client
      if (client !== undefined) this.#query(client, { text: `listen ${channel}` })
    }
  }

  /**
   * Keeps this process's wake-ups on a channel in this process, until the returned function is called: for a channel on which no other
   * process acts. This saves a NOTIFY for each change, and the server's work for it (measured on a PUT of one client, with what follows: 7 %).
   */
  keep(channel: WakeChannel): () => void {
    const count = (by: number) => this.#kept.set(channel, (this.#kept.get(channel) ?? 0) + by)
    count(1)
    return () => count(-1)
  }

  /** Wakes a channel's listeners, at once or within 5 ms, together with all other wake-ups until then. */
  tell(channel: WakeChannel, item = ''): void {
    const items = this.#waiting.get(channel) ?? new Set()
    items.add(item)
    this.#waiting.set(channel, items)
    if (this.#timer === undefined) {
      const waitMs = Math.max(0, coalesceMs - (performance.now() - this.#lastSentAt))
      this.#timer = setTimeout(() => this.#send(), waitMs)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#send()
    await this.#idle
    await this.#client?.end().catch(() => undefined)
  }

  #send(): void {
    this.#timer = undefined
    this.#lastSentAt = performance.now()
    for (const [channel, items] of this.#waiting) {
      if (!this.#kept.get(channel)) continue
      this.#waiting.delete(channel)
      this.#hear(channel, payloadOf(items))
    }
    const client = this.#client
    if (client === undefined || this.#waiting.size === 0) return
    const told = [...this.#waiting].map(([channel, items]) => ({ channel, payload: payloadOf(items) }))
    this.#waiting.clear()
    const values = told.flatMap(({ channel, payload }) => [channel, payload])
    const calls = told.map((_, i) => `pg_notify($${i * 2 + 1}, $${i * 2 + 2})`)
    this.#query(client, { name: `wake${calls.length}`, text: `select ${calls.join(', ')}`, values })
  }

  /** Runs a statement after those before it. A failure is not reported: the connection is replaced, and the sweep finds the work. */
  #query(client: pg.Client, query: pg.QueryConfig): void {
    this.#idle = this.#idle
      .then(() => client.query(query))
      .catch((error: Error) => this.#log.debug({ err: error }, 'a wake-up was not sent; the sweep will find the work'))
  }

  #hear(channel: WakeChannel, payload: string): void {
    const items = payload === '' ? [] : payload.split(' ')
    for (const listener of this.#listeners.get(channel) ?? []) listener(items)
  }

  #reconnect(): void {
    this.#client = undefined
    const attempt = (): void => {
      if (this.#closed) return
      this.start().then(
        () => {
          // Wake-ups since then are lost: check everything.
          for (const channel of this.#listeners.keys()) this.#hear(channel, '')
        },
        () => setTimeout(attempt, 250).unref(),
      )
    }
    setTimeout(attempt, 100).unref()
  }
}

function payloadOf(items: ReadonlySet<string>): string {
  if (items.has('')) return ''
  const payload = [...items].join(' ')
  return payload.length > maxPayloadBytes ? '' : payload
}

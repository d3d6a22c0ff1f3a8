import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { updateStreamLimits, type WireUpdate } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Db } from '#platform/postgres/index.ts'
import { hintsOf } from './rules.ts'
import { endedSessions, readChanges, readSnapshot } from './store.ts'
import { type Follower, UpdateStream } from './update-stream.ts'

/** Times in milliseconds. Tests set shorter ones. */
export interface UpdateTimes {
  /** Between two checks of the sessions: with the check itself, a stream ends within a second of its session. */
  readonly sessionsMs: number
  /** Between two reads of changes. */
  readonly changesMs: number
  /** Between two comment lines. */
  readonly commentMs?: number
}

const usualTimes: UpdateTimes = { sessionsMs: 400, changesMs: 1_000 }
/** The pause after a slow read is this many times as long as the read, so that streams use at most a tenth of a connection. */
const restPerWork = 10
const longestPauseMs = 10_000
/** Streams end if sessions or changes could not be read for this long. Their clients poll, and reconnect later. */
const patienceMs = 5_000
/** A new stream begins with the hints of this many seconds, because its page may have been loaded before the stream was open. */
const catchUpS = 10
/** When a refused client can try again. */
const retryAfterS = 30

/**
 * The update streams of this process.
 *
 * While at least one is open, the process reads every second what has changed for all of their accounts, and checks their sessions. Without a stream,
 * it does nothing. Writers do nothing for the streams.
 */
export class UpdateStreams {
  readonly #db: Db
  readonly #log: Logger
  readonly #times: UpdateTimes
  readonly #open = new Set<UpdateStream>()
  /** The snapshot of the last read of changes. Every stream begins with changes that were read after the first one. */
  #snapshot: Promise<string> | undefined
  /** How many zones and domains each account managed at that time. */
  #managed: ReadonlyMap<string, number> = new Map()
  #watching: AbortController | undefined
  #isEnded = false

  constructor(db: Db, log: Logger, times = usualTimes) {
    this.#db = db
    this.#log = log
    this.#times = times
  }

  get count(): number {
    return this.#open.size
  }

  /** Opens a stream, which counts from now on. Throws a Refusal `rate_limited` or `unavailable` if there are too many, or if the process stops. */
  async open(follower: Follower): Promise<Readable> {
    this.#admit(follower)
    const stream = new UpdateStream(follower, this.#times.commentMs)
    this.#open.add(stream)
    stream.body.once('close', () => this.#forget(stream))
    try {
      this.#snapshot ??= readSnapshot(this.#db)
      await this.#snapshot
      this.#watch()
      const { changes, managed } = await readChanges(this.#db, [follower.accountId], null, catchUpS)
      this.#managed = new Map([[follower.accountId, managed[follower.accountId] ?? 0], ...this.#managed])
      stream.send(changes.flatMap(hintsOf))
      return stream.body
    } catch (error) {
      stream.body.destroy()
      throw error
    }
  }

  /** Ends all streams, and refuses new ones: the process stops. */
  end(): void {
    this.#isEnded = true
    for (const stream of this.#open) stream.end()
  }

  #admit({ accountId, sessionId }: Follower): void {
    const headers = { 'retry-after': String(retryAfterS) }
    const streams = [...this.#open]
    const refuse = (whose: string, most: number) =>
      new Refusal('rate_limited', `${whose} already has ${most} streams of updates. Close one of them.`, { headers })
    if (this.#isEnded)
      throw new Refusal('unavailable', 'The service is restarting. Try again in a moment.', { headers })
    if (streams.length >= updateStreamLimits.process)
      throw new Refusal('unavailable', 'Too many streams of updates are open. Try again later.', { headers })
    const ofAccount = streams.filter((stream) => stream.accountId === accountId)
    if (ofAccount.length >= updateStreamLimits.account) throw refuse('This account', updateStreamLimits.account)
    if (ofAccount.filter((stream) => stream.sessionId === sessionId).length >= updateStreamLimits.session)
      throw refuse('This session', updateStreamLimits.session)
  }

  #forget(stream: UpdateStream): void {
    this.#open.delete(stream)
    if (this.#open.size > 0) return
    this.#watching?.abort()
    this.#watching = undefined
    this.#snapshot = undefined
    this.#managed = new Map()
  }

  #watch(): void {
    if (this.#watching !== undefined || this.#open.size === 0) return
    const watching = new AbortController()
    this.#watching = watching
    const { sessionsMs, changesMs } = this.#times
    void this.#repeat(
      () => this.#endSignedOut(),
      () => sessionsMs,
      watching.signal,
    )
    void this.#repeat(
      () => this.#sendChanges(watching.signal),
      (tookMs) => Math.min(longestPauseMs, Math.max(changesMs, restPerWork * tookMs)),
      watching.signal,
    )
  }

  /** Repeats work, with pauses. If it has failed for too long, all streams end. */
  async #repeat(work: () => Promise<void>, pauseMs: (tookMs: number) => number, stopped: AbortSignal): Promise<void> {
    let doneAtMs = performance.now()
    while (!stopped.aborted) {
      const beganMs = performance.now()
      try {
        await work()
        doneAtMs = performance.now()
      } catch (error) {
        if (!stopped.aborted && performance.now() - doneAtMs > patienceMs) {
          this.#log.warn({ err: error, streams: this.count }, 'updates cannot be read; their streams end')
          for (const stream of this.#open) stream.end()
        }
      }
      await delay(pauseMs(performance.now() - beganMs), undefined, { signal: stopped, ref: false }).catch(
        () => undefined,
      )
    }
  }

  async #endSignedOut(): Promise<void> {
    const ended = new Set(
      await endedSessions(this.#db, [...new Set([...this.#open].map(({ sessionId }) => sessionId))]),
    )
    for (const stream of this.#open) if (ended.has(stream.sessionId)) stream.end()
  }

  async #sendChanges(stopped: AbortSignal): Promise<void> {
    const streams = Map.groupBy(this.#open, ({ accountId }) => accountId)
    const read = await readChanges(this.#db, [...streams.keys()], (await this.#snapshot) ?? null)
    if (stopped.aborted) return
    this.#snapshot = Promise.resolve(read.snapshot)
    const changesOf = Map.groupBy(read.changes, ({ account }) => account)
    const before = this.#managed
    this.#managed = new Map([...streams.keys()].map((account) => [account, read.managed[account] ?? 0]))
    for (const [account, ofAccount] of streams) {
      const hints = (changesOf.get(account) ?? []).flatMap(hintsOf)
      if ((before.get(account) ?? 0) !== this.#managed.get(account)) hints.push(...hintsOfAccess)
      for (const stream of ofAccount) stream.send(hints)
    }
  }
}

/** Hints for an account that was removed as a manager, and no longer learns about the object. */
const hintsOfAccess: readonly WireUpdate[] = [
  { kind: 'zones', id: null },
  { kind: 'domains', id: null },
]

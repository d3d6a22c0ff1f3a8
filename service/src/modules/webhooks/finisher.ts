import type { MailContext } from '#modules/accounts/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { Continuation, Done } from './attempt.ts'
import { disableFailing, warnFailing } from './disable-endpoint.ts'
import { type Judgement, judge } from './failing-time.ts'
import {
  endFailing,
  giveBack,
  type LockedLanes,
  lockLanes,
  recordAttempts,
  relaxed,
  type Scheduled,
  scheduleLanes,
  withoutRecord,
} from './lane-store.ts'

/** Deliveries recorded in one transaction. */
const maxBatch = 200
const pauseMs = 500

interface Waiting {
  readonly done: Done
  readonly resolve: (continuation: Continuation) => void
}

/** A lane after its delivery, and the action that its failures require. */
interface Finished extends Scheduled {
  readonly verdict: Judgement['verdict']
}

const nothing: Continuation = { next: null, due: false }

/**
 * Finishes deliveries: one short transaction for all that ended while the previous one ran, so that the database does
 * less work per delivery under load.
 */
export class Finisher {
  readonly #database: Database
  readonly #log: Logger
  readonly #mailContext: MailContext
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  /** Lanes of failing endpoints that still require an action. */
  readonly #failing = new Map<string, Finished>()
  #acting: Promise<void> | undefined
  readonly #stopping = new AbortController()

  constructor({ database, log, mailContext }: { database: Database; log: Logger; mailContext: MailContext }) {
    this.#database = database
    this.#log = log
    this.#mailContext = mailContext
  }

  /** Records the outcomes of a lane's deliveries. Resolves with what to do next; never rejects. */
  finish(done: Done): Promise<Continuation> {
    return new Promise((resolve) => {
      this.#waiting.push({ done, resolve })
      this.#running ??= this.#run()
    })
  }

  /** Submitted results are still written, but without waiting for an absent database: the lanes' leases expire. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#acting
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch()
      const dones = batch.map((waiting) => waiting.done)
      const scheduled = await this.#finish(dones)
      for (const { done, resolve } of batch) resolve(continuationOf(scheduled.get(done.work.endpointId)))
    }
    this.#running = undefined
  }

  /** An endpoint is at most once in a batch: if its lease expired, this same process may have claimed it again. */
  #takeBatch(): Waiting[] {
    const batch = new Map<string, Waiting>()
    const rest: Waiting[] = []
    let room = maxBatch
    for (const waiting of this.#waiting) {
      const { work, made } = waiting.done
      if (room > 0 && !batch.has(work.endpointId)) {
        batch.set(work.endpointId, waiting)
        room -= Math.max(1, made.length)
      } else rest.push(waiting)
    }
    this.#waiting = rest
    return [...batch.values()]
  }

  async #finish(dones: readonly Done[]): Promise<Map<string, Finished>> {
    for (let failures = 0; ; failures += 1) {
      try {
        const scheduled = await this.#database.transact((tx) => finishTogether(tx, dones, failures > 0))
        if (failures > 0) this.#log.info({ failures }, 'delivery outcomes are being recorded again')
        for (const lane of scheduled) if (lane.verdict !== 'none') this.#act(lane)
        return new Map(scheduled.map((lane) => [lane.endpointId, lane]))
      } catch (error) {
        if (!(error instanceof Refusal)) return await this.#finishApart(dones, error)
        if (failures === 0) this.#log.warn({ err: error }, 'delivery outcomes cannot be recorded; retrying')
        if (this.#stopping.signal.aborted) return new Map()
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** Separate from the records, for which all other lanes wait, because there may be much to skip. One endpoint after the other. */
  #act(lane: Finished): void {
    this.#failing.set(lane.endpointId, lane)
    this.#acting ??= this.#actOnAll()
  }

  async #actOnAll(): Promise<void> {
    for (let [next] = this.#failing; next !== undefined; [next] = this.#failing) {
      const [endpointId, lane] = next
      this.#failing.delete(endpointId)
      if (!this.#stopping.signal.aborted)
        await (lane.verdict === 'disable' ? this.#disable(lane) : this.#warn(lane)).catch((error: unknown) => {
          this.#log.warn(
            { err: error, endpoint: endpointId },
            'a failing endpoint could not be disabled, or its owner could not be notified',
          )
        })
    }
    this.#acting = undefined
  }

  async #warn({ endpointId }: Finished): Promise<void> {
    await warnFailing(this.#database, this.#mailContext, endpointId)
  }

  /** Afterwards its lane is free for manual sends. If this fails, the next failed attempt decides again. */
  async #disable(lane: Finished): Promise<void> {
    await disableFailing(this.#database, this.#mailContext, lane.endpointId, this.#stopping.signal)
    // Deliveries that a stop has not skipped yet must not be sent in the meantime.
    if (this.#stopping.signal.aborted) return
    await this.#database.transact(async (tx) => {
      await giveBack(tx, lane)
      tx.wakeAfterCommit('lanes_due')
    })
  }

  /** One of the results cannot be stored. Stores each lane's results separately, and the faulty ones without their receiver's responses. */
  async #finishApart(dones: readonly Done[], error: unknown): Promise<Map<string, Finished>> {
    const [only] = dones
    if (dones.length === 1 && !only?.made.some(({ attempt }) => attempt.responseHeaders !== null)) {
      this.#log.error(
        { err: error, endpoint: only?.work.endpointId },
        'a delivery could not be recorded; its lane pauses until its lease ends',
      )
      return new Map()
    }
    const scheduled = new Map<string, Finished>()
    for (const done of dones)
      for (const [endpointId, lane] of await this.#finish([dones.length > 1 ? done : withoutAnswer(done)]))
        scheduled.set(endpointId, lane)
    return scheduled
  }
}

/** @param inDoubt they were submitted before, and may have been recorded */
async function finishTogether(tx: Tx, dones: readonly Done[], inDoubt: boolean): Promise<Finished[]> {
  const [, lanes] = await Promise.all([tx.apply(relaxed), lockLanes(tx, dones)])
  const all = dones.flatMap(({ work: { endpointId }, made }) => made.map((one) => ({ endpointId, ...one })))
  const made = inDoubt ? await withoutRecord(tx, all) : all
  const judgements = judgeAll(dones, lanes)
  const days = Map.groupBy(made, ({ delivery }) => delivery.eventDay)
  // In one round trip, one statement after the other, because PostgreSQL may be far away.
  const recorded = [...days].map(([day, ofDay]) => recordAttempts(tx, day, ofDay, lanes.held))
  const ended = endFailing(tx, lanes.ended)
  const [scheduled] = await Promise.all([scheduleLanes(tx, dones, judgements), ended, ...recorded])
  return scheduled.map((lane) => ({
    ...lane,
    verdict: (lane.isEnabled && judgements.get(lane.endpointId)?.verdict) || 'none',
  }))
}

/** How the attempts change the failing times of the lanes that are still held. */
function judgeAll(dones: readonly Done[], { held, failing, now }: LockedLanes): Map<string, Judgement> {
  const judgements = new Map<string, Judgement>()
  for (const { work, made } of dones) {
    const { endpointId } = work
    if (!held.has(endpointId)) continue
    for (const { delivery, attempt } of made) {
      const judged = {
        succeeded: attempt.failure === null,
        eventId: delivery.eventId,
        isReal: !delivery.manual && !delivery.isTest,
        failures: delivery.attempts + 1,
      }
      const before = judgements.get(endpointId) ?? { failing: failing.get(endpointId) ?? null }
      judgements.set(endpointId, judge(before.failing, judged, now))
    }
  }
  return judgements
}

function withoutAnswer(done: Done): Done {
  const made = done.made.map(({ delivery, attempt }) => ({
    delivery,
    attempt: { ...attempt, responseHeaders: null, responseBody: null },
  }))
  return { ...done, made }
}

/** Nothing more is sent to an endpoint that must be disabled: its lane is held until it is disabled, at most until its lease ends. */
function continuationOf(lane: Finished | undefined): Continuation {
  if (lane === undefined || lane.verdict === 'disable') return nothing
  return lane.kept ? { next: lane, due: false } : { next: null, due: lane.deliveries.length > 0 }
}

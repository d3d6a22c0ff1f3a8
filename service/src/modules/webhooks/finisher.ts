import type { Telling } from '#modules/accounts/index.ts'
import { type Database, type Tx, wakeAfterCommit } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import { applySettings, relaxed } from '#platform/queue-settings.ts'
import type { Continuation, Done } from './attempt.ts'
import { disableWornOut } from './disable-endpoint.ts'
import {
  endFailing,
  giveBack,
  lockLanes,
  recordAttempts,
  type Scheduled,
  scheduleLanes,
  withoutRecord,
} from './lane-store.ts'

/** Lanes finished in one transaction. */
const maxBatch = 200
const pauseMs = 500

interface Waiting {
  readonly done: Done
  readonly resolve: (continuation: Continuation) => void
}

const nothing: Continuation = { next: null, due: false }

/**
 * Finishes deliveries: one short transaction for all that have come while the one before it ran, so that the database has the
 * less to do for each the busier the lanes are.
 */
export class Finisher {
  readonly #database: Database
  readonly #log: Logger
  readonly #telling: Telling
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  /** The lanes of worn-out endpoints that are still to be turned off, the one that is under way first. */
  readonly #wornOut = new Map<string, Scheduled>()
  #turningOff: Promise<void> | undefined
  readonly #stopping = new AbortController()

  constructor({ database, log, telling }: { database: Database; log: Logger; telling: Telling }) {
    this.#database = database
    this.#log = log
    this.#telling = telling
  }

  /** Records what came of a lane's delivery. Resolves with what to do next; never rejects. */
  finish(done: Done): Promise<Continuation> {
    return new Promise((resolve) => {
      this.#waiting.push({ done, resolve })
      this.#running ??= this.#run()
    })
  }

  /** What is handed in is still written, but an absent database is no longer waited for: the lanes' leases run out. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#turningOff
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

  /** An endpoint is at most once in a batch: one whose lease ran out may have been claimed anew by this very process. */
  #takeBatch(): Waiting[] {
    const batch = new Map<string, Waiting>()
    const rest: Waiting[] = []
    for (const waiting of this.#waiting) {
      const { endpointId } = waiting.done.work
      if (batch.size < maxBatch && !batch.has(endpointId)) batch.set(endpointId, waiting)
      else rest.push(waiting)
    }
    this.#waiting = rest
    return [...batch.values()]
  }

  async #finish(dones: readonly Done[]): Promise<Map<string, Scheduled>> {
    for (let failures = 0; ; failures += 1) {
      try {
        const scheduled = await this.#database.transact((tx) => finishTogether(tx, dones, failures > 0))
        if (failures > 0) this.#log.info({ failures }, 'deliveries: what came of them is recorded again')
        for (const lane of scheduled) if (lane.wornOut) this.#turnOff(lane)
        return new Map(scheduled.map((lane) => [lane.endpointId, lane]))
      } catch (error) {
        if (!(error instanceof Refusal)) return await this.#finishApart(dones, error)
        if (failures === 0) this.#log.warn({ err: error }, 'deliveries: what came of them cannot be recorded yet')
        if (this.#stopping.signal.aborted) return new Map()
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  /** Beside the records, however much waits to be skipped: the lanes of all others live by these. One endpoint after the other. */
  #turnOff(lane: Scheduled): void {
    this.#wornOut.set(lane.endpointId, lane)
    this.#turningOff ??= this.#turnOffAll()
  }

  async #turnOffAll(): Promise<void> {
    for (const [endpointId, lane] of this.#wornOut) {
      if (!this.#stopping.signal.aborted)
        await this.#turnOffNow(lane).catch((error: unknown) => {
          this.#log.warn({ err: error, endpoint: endpointId }, 'a worn-out endpoint could not be turned off')
        })
      this.#wornOut.delete(endpointId)
    }
    this.#turningOff = undefined
  }

  /** Its lane is free again after it, for what is asked for by hand. Should it fail, the next failed attempt decides again. */
  async #turnOffNow(lane: Scheduled): Promise<void> {
    await disableWornOut(this.#database, this.#telling, lane.endpointId, this.#stopping.signal)
    // What a stop has left to be skipped is not to be sent meanwhile.
    if (this.#stopping.signal.aborted) return
    await this.#database.transact(async (tx) => {
      await giveBack(tx, lane)
      wakeAfterCommit(tx, 'lanes_due')
    })
  }

  /** One of them cannot be stored: each goes alone, and that one without what its receiver answered. */
  async #finishApart(dones: readonly Done[], error: unknown): Promise<Map<string, Scheduled>> {
    const [only] = dones
    if (dones.length === 1 && only?.attempt?.responseHeaders == null) {
      this.#log.error(
        { err: error, endpoint: only?.work.endpointId },
        'a delivery could not be recorded; its lane rests for its lease',
      )
      return new Map()
    }
    const scheduled = new Map<string, Scheduled>()
    for (const done of dones)
      for (const [endpointId, lane] of await this.#finish([dones.length > 1 ? done : withoutAnswer(done)]))
        scheduled.set(endpointId, lane)
    return scheduled
  }
}

/** @param inDoubt they were handed in before, and it may be that they were recorded */
async function finishTogether(tx: Tx, dones: readonly Done[], inDoubt: boolean): Promise<Scheduled[]> {
  await applySettings(tx, relaxed)
  const { held, failing } = await lockLanes(tx, dones)
  const ended = dones.filter((done) => done.attempt !== null && done.work.delivery !== null)
  const made = inDoubt ? await withoutRecord(tx, ended) : ended
  const days = Map.groupBy(made, (done) => done.work.delivery?.eventDay ?? '')
  for (const [day, ofDay] of days) await recordAttempts(tx, day, ofDay, held)
  await endFailing(tx, failing)
  return await scheduleLanes(tx, dones)
}

function withoutAnswer(done: Done): Done {
  return { ...done, attempt: done.attempt && { ...done.attempt, responseHeaders: null, responseBody: null } }
}

/** A worn-out endpoint is sent no more while it is turned off: its lane is held until then, for its lease at most. */
function continuationOf(lane: Scheduled | undefined): Continuation {
  if (lane === undefined || lane.wornOut) return nothing
  return lane.kept ? { next: lane, due: false } : { next: null, due: lane.delivery !== null }
}

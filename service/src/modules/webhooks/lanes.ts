import type { Telling } from '#modules/accounts/index.ts'
import { type EventContent, eventContents } from '#modules/events/index.ts'
import type { Database } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { applySettings, relaxed } from '#platform/queue-settings.ts'
import { Rounds } from '#platform/rounds.ts'
import { GivenUp } from '#ports/webhook-http.ts'
import type { Attempt, DueDelivery, LaneWork } from './attempt.ts'
import type { DeliveryFigures } from './figures.ts'
import { Finisher } from './finisher.ts'
import { claimLanes, isAnyLaneNeglected, isStruggling } from './lane-store.ts'
import type { Sender } from './sender.ts'
import { type SlotLimits, Slots } from './slots.ts'

/** Lanes claimed in one statement. */
const maxClaim = 64
/** With so many lanes in hand, a process asks the others for help: fewer are cheaper sent by one than shared, and as soon done. */
const plenty = 32
/** Requests under way when the process is told to stop may take this long; then they are given up and sent again by others. */
const stopWithinMs = 4_000

export interface LanesOptions {
  readonly database: Database
  readonly log: Logger
  readonly sender: Sender
  readonly figures: DeliveryFigures
  readonly slots: SlotLimits
  readonly telling: Telling
  /** Called when more is due than this process alone should send. */
  readonly onMore: () => void
}

/**
 * Sends what the lanes have due: claims lanes, sends outside any transaction, finishes, and goes on with the same lane while
 * no other one waits for its slot. Any number of processes may run it.
 */
export class Lanes {
  readonly #options: LanesOptions
  readonly #rounds: Rounds
  readonly #slots: Slots
  readonly #finisher: Finisher
  readonly #serving = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  /** More lanes may be due than there were slots for. */
  #hungry = false
  #stopped = false

  constructor(options: LanesOptions) {
    this.#options = options
    this.#slots = new Slots(options.slots)
    this.#finisher = new Finisher(options)
    this.#rounds = new Rounds({
      name: 'webhook lanes',
      log: options.log,
      look: options.database.lookFor(isAnyLaneNeglected),
      round: () => this.#claim(),
    })
  }

  start(): void {
    this.#rounds.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** This process has made lanes due: it sends them, and wakes the others where it has plenty in hand. */
  wakeFirst(): void {
    this.#rounds.wake()
    if (this.#serving.size >= plenty) this.#options.onMore()
  }

  /** Claims no more, and finishes what is under way, within 5 s. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#rounds.stop()
    const timer = setTimeout(() => this.#stopping.abort(), stopWithinMs)
    await Promise.all(this.#serving)
    clearTimeout(timer)
    await this.#finisher.stop()
  }

  async #claim(): Promise<boolean> {
    const free = this.#slots.free()
    const max = { healthy: Math.min(free.healthy, maxClaim), struggling: Math.min(free.struggling, maxClaim) }
    this.#hungry = true
    if (max.healthy + max.struggling === 0) return false
    const { database, figures } = this.#options
    const began = performance.now()
    const works = await database.transact(async (tx) => {
      await applySettings(tx, relaxed)
      return await claimLanes(tx, max)
    })
    figures.claimed((performance.now() - began) / 1000)
    if (works.length > 0) await this.#serveAll(works)
    const healthy = works.filter((work) => !work.struggling).length
    this.#hungry = healthy === max.healthy || works.length - healthy === max.struggling
    const isMore = works.length > 0 && this.#hungry
    if (isMore) this.#options.onMore()
    return isMore && !this.#stopped
  }

  async #serveAll(works: readonly LaneWork[]): Promise<void> {
    const readAt = performance.now()
    const contents = await this.#contentsOf(works)
    for (const work of works) {
      const serving = this.#serve(work, contents, readAt).catch((error: unknown) => {
        this.#options.log.error({ err: error, endpoint: work.endpointId }, 'a lane broke; it rests for its lease')
      })
      this.#serving.add(serving)
      void serving.then(() => this.#serving.delete(serving))
    }
  }

  async #contentsOf(works: readonly LaneWork[]): Promise<Map<string, EventContent>> {
    const events = works.flatMap(({ delivery }) => (delivery ? [{ day: delivery.eventDay, id: delivery.eventId }] : []))
    return events.length > 0 ? await eventContents(this.#options.database.db, events) : new Map()
  }

  async #serve(first: LaneWork, firstContents: Map<string, EventContent>, firstReadAt: number): Promise<void> {
    let work: LaneWork | null = first
    let contents = firstContents
    let readAt = firstReadAt
    while (work !== null) {
      const { delivery }: LaneWork = work
      const content = delivery && contents.get(delivery.eventId)
      if (delivery && content === undefined) throw new Error(`event ${delivery.eventId} has no body any more`)
      const attempt: Attempt | null = delivery && content ? await this.#attempt(work, delivery, content, readAt) : null
      const keep: boolean =
        attempt !== null && !this.#stopped && !this.#hungry && isStruggling(attempt) === work.struggling
      const { next, due } = await this.#finisher.finish({ work, attempt, keep })
      readAt = performance.now()
      if (due || this.#hungry) this.#rounds.wake()
      if (next) contents = await this.#contentsOf([next])
      work = next
    }
  }

  /** Null when it was given up: the lane goes back as it was. */
  async #attempt(
    work: LaneWork,
    delivery: DueDelivery,
    { body, requestId }: EventContent,
    readAt: number,
  ): Promise<Attempt | null> {
    const release = this.#slots.take(work.struggling, () => this.#rounds.wake())
    try {
      const attempt = await this.#options.sender.send(work, delivery, body, readAt, this.#stopping.signal)
      this.#options.figures.attempted(delivery, attempt)
      this.#options.log.info(
        lineOf(work, delivery, attempt, requestId),
        attempt.failure ? 'webhook not taken' : 'webhook sent',
      )
      return attempt
    } catch (error) {
      if (error instanceof GivenUp) return null
      throw error
    } finally {
      release()
    }
  }
}

function lineOf(work: LaneWork, delivery: DueDelivery, attempt: Attempt, requestId: string | null): object {
  const { id, eventId: event, eventType: type } = delivery
  const { status, failure, durationMs } = attempt
  return {
    delivery: id,
    endpoint: work.endpointId,
    event,
    type,
    status,
    failure,
    durationMs,
    ...(requestId && { requestId }),
  }
}

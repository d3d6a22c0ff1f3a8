import type { MailContext } from '#modules/accounts/index.ts'
import { type EventContent, eventBody, eventContents } from '#modules/events/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { type BodyBudget, BudgetExceeded } from '#platform/work/body-budget.ts'
import { Gather } from '#platform/work/gather.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { GivenUp } from '#ports/webhook-http.ts'
import type { Attempt, DueDelivery, LaneWork, Made } from './attempt.ts'
import type { AttemptCounts } from './attempt-counts.ts'
import type { DeliveryFigures } from './figures.ts'
import { Finisher } from './finisher.ts'
import { type LaneLimits, LaneShares } from './lane-shares.ts'
import { claimLanes, isAnyLaneNeglected, relaxed } from './lane-store.ts'
import { aheadLimits, type HeldLane, isStruggling, maySend, sharedLimits } from './rules.ts'
import type { Sender } from './sender.ts'

/** Maximum number of lanes that one statement claims. */
const maxClaim = 64
/** From this number of lanes in progress on, a process wakes others. A single process sends fewer lanes just as fast at a lower cost. */
const plenty = 32
/** Lanes whose next deliveries are read together, and concurrent reads, because PostgreSQL may be far away. */
const reading = { maxItems: 2 * maxClaim, slots: 4 }
/** Bytes of the bodies of a lane's next deliveries that are held in memory outside `BodyBudget`: larger bodies are read when they are sent. */
const maxBodyBytes = 64 * 1024
/** Time that requests in progress may take when the process is asked to stop. After that, other processes resend them. */
const stopWithinMs = 4_000

export interface LanesOptions {
  readonly database: Database
  readonly log: Logger
  readonly sender: Sender
  readonly figures: DeliveryFigures
  readonly counts: AttemptCounts
  readonly laneLimits: LaneLimits
  readonly bodyBudget: BodyBudget
  readonly mailContext: MailContext
  /** Called when more is due than this process should send alone. */
  readonly onMore: () => void
}

/** A lane with its next deliveries, and the contents of their events. */
interface Turn {
  readonly work: LaneWork
  readonly contents: ReadonlyMap<string, EventContent>
  readonly readAt: number
}

/**
 * Sends due deliveries: claims lanes, sends outside any transaction, finishes, and continues with the same lane while
 * no other lane waits for its slot. Any number of processes may run it.
 *
 * A lane sends a group of deliveries before it records them (`maySend`). The group is small after a claim and while other lanes wait.
 */
export class Lanes {
  readonly #options: LanesOptions
  readonly #rounds: Rounds
  readonly #laneShares: LaneShares
  readonly #bodyBudget: BodyBudget
  readonly #finisher: Finisher
  readonly #turns = new Gather<LaneWork, Turn>(reading, (works) => this.#prepare(works))
  readonly #serving = new Set<Promise<void>>()
  readonly #held = new Set<HeldLane>()
  readonly #stopping = new AbortController()
  /** In which shares more lanes may have been due than there were slots, when lanes were last claimed. */
  #hungry = { healthy: false, struggling: false }
  #stopped = false

  constructor(options: LanesOptions) {
    this.#options = options
    this.#laneShares = new LaneShares(options.laneLimits)
    this.#bodyBudget = options.bodyBudget
    this.#finisher = new Finisher(options)
    this.#rounds = new Rounds({
      name: 'webhook lanes',
      log: options.log,
      look: options.database.pollFor(isAnyLaneNeglected),
      round: () => this.#claim(),
    })
  }

  start(): void {
    this.#rounds.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** This process has made lanes due: it sends them, and wakes the others if it has many in progress. */
  wakeFirst(): void {
    this.#rounds.wake()
    if (this.#serving.size >= plenty) this.#options.onMore()
  }

  /** These endpoints were changed, or have something to resend; empty: any endpoint may. Their lanes are read before anything more is sent. */
  readAgain(endpointIds: readonly string[]): void {
    for (const lane of this.#held)
      if (endpointIds.length === 0 || endpointIds.includes(lane.endpointId)) lane.isChanged = true
  }

  /** Claims nothing more, and finishes requests in progress, within 5 s. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#rounds.stop()
    const timer = setTimeout(() => this.#stopping.abort(), stopWithinMs)
    await Promise.all(this.#serving)
    clearTimeout(timer)
    await this.#finisher.stop()
  }

  async #claim(): Promise<boolean> {
    const free = this.#laneShares.free()
    const max = { healthy: Math.min(free.healthy, maxClaim), struggling: Math.min(free.struggling, maxClaim) }
    if (max.healthy + max.struggling === 0) {
      this.#hungry = { healthy: true, struggling: true }
      return false
    }
    const { database, figures } = this.#options
    const began = performance.now()
    const works = await database.transact(async (tx) => {
      const [, works] = await Promise.all([tx.apply(relaxed), claimLanes(tx, max)])
      return works
    })
    figures.claimed((performance.now() - began) / 1000)
    if (works.length > 0) await this.#serveAll(works)
    const healthy = works.filter((work) => !work.struggling).length
    this.#hungry = { healthy: healthy === max.healthy, struggling: works.length - healthy === max.struggling }
    const isMore = works.length > 0 && this.#isHungry
    if (isMore) this.#options.onMore()
    return isMore && !this.#stopped
  }

  async #serveAll(works: readonly LaneWork[]): Promise<void> {
    for (const turn of await Promise.all(works.map((work) => this.#turns.ask(work)))) {
      const serving = this.#serve(turn).catch((error: unknown) => {
        const { endpointId: endpoint } = turn.work
        this.#options.log.error({ err: error, endpoint }, 'a lane failed; it pauses until its lease ends')
      })
      this.#serving.add(serving)
      void serving.then(() => this.#serving.delete(serving))
    }
  }

  /** Reads the contents to send, except large bodies. */
  async #prepare(works: readonly LaneWork[]): Promise<Turn[]> {
    const readAt = performance.now()
    const events = works.flatMap(({ deliveries }) => deliveries.map(eventOf))
    const most = Math.max(1, ...works.map(({ deliveries }) => deliveries.length))
    const contents = await eventContents(this.#options.database.db, events, Math.floor(maxBodyBytes / most))
    return works.map((work) => ({ work, contents, readAt }))
  }

  async #serve(first: Turn): Promise<void> {
    const lane: HeldLane = { endpointId: first.work.endpointId, isChanged: false }
    this.#held.add(lane)
    try {
      for (let turn: Turn | undefined = first; turn !== undefined; ) {
        const { work }: Turn = turn
        const made: readonly Made[] = await this.#sendGroup(lane, turn)
        const last = made.at(-1)?.attempt
        const isToGoOn: boolean = last ? isStruggling(last) === work.struggling : lane.isChanged
        lane.isChanged = false
        const { next, due } = await this.#finisher.finish({ work, made, keep: isToGoOn && this.#mayGoOn(work) })
        if (due || this.#isHungry) this.#rounds.wake()
        turn = next ? await this.#turns.ask(next) : undefined
      }
    } finally {
      this.#held.delete(lane)
    }
  }

  /** Sends the next deliveries of a lane, one after the other, as far as they may be sent before they are recorded. */
  async #sendGroup(lane: HeldLane, turn: Turn): Promise<readonly Made[]> {
    const { work } = turn
    const made: Made[] = []
    const beganAtMs = performance.now()
    for (const delivery of work.deliveries) {
      if (made.length > 0 && this.#stopped) break
      const limits = this.#mayGoOn(work) ? aheadLimits : sharedLimits
      if (!maySend({ lane, work, made, beganAtMs }, performance.now(), limits)) break
      try {
        const attempt = await this.#attempt(turn, delivery)
        if (attempt === null) break
        made.push({ delivery, attempt })
      } catch (error) {
        // The attempts before it are recorded. It becomes the first delivery of the next group.
        if (made.length === 0) throw error
        break
      }
    }
    return made
  }

  get #isHungry(): boolean {
    return this.#hungry.healthy || this.#hungry.struggling
  }

  /** Whether this process may continue with the lane that it sends, because no other lane waits for its slot. */
  #mayGoOn({ struggling }: LaneWork): boolean {
    return !this.#stopped && !(struggling ? this.#hungry.struggling : this.#hungry.healthy)
  }

  /** Null if it was given up. */
  async #attempt({ work, contents, readAt }: Turn, delivery: DueDelivery): Promise<Attempt | null> {
    const content = contents.get(delivery.eventId)
    if (content === undefined) throw gone(delivery)
    const release = this.#laneShares.take(work.struggling, () => this.#rounds.wake())
    try {
      return await this.#withBody(delivery, content, async (body) => {
        const attempt = await this.#options.sender.send(work, delivery, body, readAt, this.#stopping.signal)
        this.#options.figures.attempted(delivery, attempt)
        this.#options.counts.count(work.endpointId, attempt)
        this.#options.log.info(
          lineOf(work, delivery, attempt, content.requestId),
          attempt.failure ? 'webhook not accepted' : 'webhook sent',
        )
        return attempt
      })
    } catch (error) {
      if (error instanceof GivenUp || error instanceof BudgetExceeded) return null
      throw error
    } finally {
      release()
    }
  }

  /** A large body is read once there is memory for it. */
  async #withBody<T>(
    delivery: DueDelivery,
    { body, bytes }: EventContent,
    work: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    if (body !== null) return await work(body)
    return await this.#bodyBudget.holding(bytes, this.#stopping.signal, async () => {
      const large = await eventBody(this.#options.database.db, eventOf(delivery))
      if (large === undefined) throw gone(delivery)
      return await work(large)
    })
  }
}

function eventOf({ eventDay, eventId }: DueDelivery): { day: string; id: string } {
  return { day: eventDay, id: eventId }
}

function gone({ eventId }: DueDelivery): Error {
  return new Error(`event ${eventId} no longer has a body`)
}

function lineOf(work: LaneWork, delivery: DueDelivery, attempt: Attempt, requestId: string | null): object {
  const { id, eventId: event, eventType: type } = delivery
  const { status, failure, failureDetail, durationMs } = attempt
  return {
    delivery: id,
    endpoint: work.endpointId,
    event,
    type,
    status,
    failure,
    ...(failureDetail && { detail: failureDetail }),
    durationMs,
    ...(requestId && { requestId }),
  }
}

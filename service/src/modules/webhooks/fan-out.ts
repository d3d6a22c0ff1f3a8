import { setTimeout as delay } from 'node:timers/promises'
import { subscribes } from '@zonewright/contract'
import { ensurePartitions } from '#http/housekeeping.ts'
import { isAnyNeglected, isAnyReleased, type PlacedEvent, placeEvents } from '#modules/events/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import {
  findAccounts,
  insertDeliveries,
  lockFanOut,
  lockSubscribers,
  type NewDelivery,
  type Subscriber,
} from './fan-out-store.ts'

/** Maximum number of events placed in one transaction. */
const maxBatch = 500
/** Above this number of events a second, batches are collected for a while, because a batch costs the database about the same, whatever its size. */
const paces = [
  { perSecond: 600, gatherMs: 150 },
  { perSecond: 150, gatherMs: 25 },
]

const nothing = { placed: 0, due: 0, isMore: false }

/** PostgreSQL's message for a row without a partition. */
const checkViolation = '23514'

/**
 * Turns released events into deliveries, one for each endpoint that subscribes.
 *
 * Any number of processes may run it. Each batch is made under one lock, so that positions are assigned and become visible in order. The process
 * that placed the last event continues; the others are on standby, because they would find nothing to do.
 */
export class FanOut {
  readonly #database: Database
  readonly #rounds: Rounds
  readonly #onDue: () => void
  #standsBy = false
  /** The last assigned position when this process last checked. */
  #seenPosition: number | undefined
  #lastRoundAtMs = Number.NEGATIVE_INFINITY
  #lastPlaced = 0

  /** @param options.onDue called after a commit that made lanes due: this process's lanes send them, and others help if they are too many for one */
  constructor({ database, log, onDue }: { database: Database; log: Logger; onDue: () => void }) {
    this.#database = database
    this.#onDue = onDue
    const [isReleased, isNeglected] = [database.pollFor(isAnyReleased), database.pollFor(isAnyNeglected)]
    this.#rounds = new Rounds({
      name: 'fan-out',
      log,
      look: () => (this.#standsBy ? isNeglected() : isReleased()),
      round: () => this.#round().catch((error: unknown) => this.#failed(error)),
    })
  }

  start(): void {
    this.#rounds.start()
  }

  /** Leaves the fan-out to another process. */
  get standsBy(): boolean {
    return this.#standsBy
  }

  /** Events were released. */
  wake(): void {
    if (!this.#standsBy) this.#rounds.wake()
  }

  /** The process that did the fan-out stops. */
  takeOver(): void {
    this.#standsBy = false
    this.#rounds.wake()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
  }

  async #round(): Promise<boolean> {
    await this.#gather()
    const { placed, due, isMore } = await this.#database.transact(async (tx) => {
      const lock = await lockFanOut(tx)
      // Another process is doing it. It got the same wake-up, and checks once more afterwards.
      if (lock === undefined) return nothing
      const { events, isMore } = await placeEvents(tx, maxBatch)
      this.#takeTurns(lock.lastPosition, events)
      if (events.length === 0) return nothing
      const zones = [...new Set(events.flatMap(({ zoneId }) => zoneId ?? []))]
      const deliveries = match(events, await lockSubscribers(tx, await accountsOf(tx, events), zones))
      const due = deliveries.length > 0 ? await insertDeliveries(tx, deliveries) : 0
      return { placed: events.length, due, isMore }
    })
    this.#lastPlaced = placed
    if (due > 0) this.#onDue()
    return isMore
  }

  /** If no worker ran for days, or the clock jumped, the hourly job has not created the days' partitions. The next attempt finds them. */
  async #failed(error: unknown): Promise<never> {
    if ((error as { code?: string }).code === checkViolation) await ensurePartitions(this.#database)
    throw error
  }

  /** The process that placed the last event continues. A process that finds that another one did leaves it to that one. */
  #takeTurns(lastPosition: number, events: readonly PlacedEvent[]): void {
    const wasOther = lastPosition !== (this.#seenPosition ?? lastPosition)
    if (events.length > 0) this.#standsBy = false
    else if (wasOther) this.#standsBy = true
    this.#seenPosition = events.at(-1)?.position ?? lastPosition
  }

  /** Under load, waits until `gatherMs` after the previous round; otherwise not at all. */
  async #gather(): Promise<void> {
    const nowMs = performance.now()
    const sinceMs = nowMs - this.#lastRoundAtMs
    const pace = paces.find(
      ({ perSecond, gatherMs }) => (this.#lastPlaced * 1_000) / Math.max(sinceMs, gatherMs) > perSecond,
    )
    if (pace !== undefined && this.#lastPlaced < maxBatch && sinceMs < pace.gatherMs)
      await delay(pace.gatherMs - sinceMs)
    this.#lastRoundAtMs = performance.now()
  }
}

/** A test has no recipients: its endpoint's account is looked up. */
async function accountsOf(tx: Tx, events: readonly PlacedEvent[]): Promise<string[]> {
  const tested = events.flatMap(({ endpointId }) => endpointId ?? [])
  const testers = tested.length > 0 ? await findAccounts(tx, tested) : []
  return [...new Set([...events.flatMap((event) => event.recipients), ...testers])]
}

function match(events: readonly PlacedEvent[], subscribers: readonly Subscriber[]): NewDelivery[] {
  const byAccount = Map.groupBy(subscribers, (subscriber) => subscriber.accountId)
  return events.flatMap((event) =>
    (event.endpointId === null ? [...new Set(event.recipients)].flatMap((id) => byAccount.get(id) ?? []) : subscribers)
      .filter((subscriber) => isFor(event, subscriber))
      .map(({ endpointId }) => ({
        endpointId,
        eventId: event.id,
        eventType: event.type,
        eventDay: event.day,
        position: event.position,
        isTest: event.endpointId !== null,
      })),
  )
}

function isFor({ type, recipients, endpointId, zoneId }: PlacedEvent, subscriber: Subscriber): boolean {
  if (endpointId !== null) return subscriber.endpointId === endpointId
  // A deleted account still gets its own events, in case support restores it, but no events of other accounts.
  if (subscriber.isHeld && subscriber.accountId !== recipients[0]) return false
  if (subscriber.zones !== null && (zoneId === null || !subscriber.zones.includes(zoneId))) return false
  return subscribes(subscriber.events, type)
}

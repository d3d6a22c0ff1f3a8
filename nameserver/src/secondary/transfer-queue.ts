import type { SecondaryZone } from './secondary-zone.ts'

/**
 * Why a zone queries the primary, most urgent first: `catalog` itself · `notified` of a change · `check` of the serial, by timer or after an absence
 * · `stale` as found by a check · `cold`, without any data yet. A check costs the primary little, so it has its own limit.
 */
export const lanes = ['catalog', 'notified', 'check', 'stale', 'cold'] as const
export type Lane = (typeof lanes)[number]

export interface QueueLimits {
  readonly transfers: number
  /** The part of `transfers` that cold zones may fill, so that a change never waits behind them alone. */
  readonly coldTransfers: number
  readonly checks: number
}

export const usualQueueLimits: QueueLimits = { transfers: 32, coldTransfers: 24, checks: 128 }

/**
 * Decides which zone queries the primary next.
 *
 * A zone waits in one lane at most, the most urgent it was requested for, and runs once at a time; requests that come
 * while it runs make exactly one more run.
 */
export class TransferQueue {
  readonly #limits: QueueLimits
  readonly #run: (zone: SecondaryZone, lane: Lane) => Promise<void>
  readonly #waiting: Record<Lane, Set<SecondaryZone>> = {
    catalog: new Set(),
    notified: new Set(),
    check: new Set(),
    stale: new Set(),
    cold: new Set(),
  }
  readonly #laneOf = new Map<SecondaryZone, Lane>()
  readonly #running = new Map<SecondaryZone, Lane>()
  readonly #again = new Map<SecondaryZone, Lane>()
  readonly #counts: Record<Lane, number> = { catalog: 0, notified: 0, check: 0, stale: 0, cold: 0 }
  #isOpen = false

  /** `run` must not reject. */
  constructor(limits: QueueLimits, run: (zone: SecondaryZone, lane: Lane) => Promise<void>) {
    this.#limits = limits
    this.#run = run
  }

  request(zone: SecondaryZone, lane: Lane): void {
    if (this.#running.has(zone)) {
      this.#again.set(zone, moreUrgent(lane, this.#again.get(zone)))
      return
    }
    const known = this.#laneOf.get(zone)
    if (known === lane) return
    const chosen = moreUrgent(lane, known)
    if (known) this.#waiting[known].delete(zone)
    this.#waiting[chosen].add(zone)
    this.#laneOf.set(zone, chosen)
    this.#pump()
  }

  /** Forgets what the zone was waiting for; a run in progress continues, but no other follows it. */
  forget(zone: SecondaryZone): void {
    const lane = this.#laneOf.get(zone)
    if (lane) this.#waiting[lane].delete(zone)
    this.#laneOf.delete(zone)
    this.#again.delete(zone)
  }

  /** Nothing runs before the queue is opened, and no new run starts after it is closed. */
  open(): void {
    this.#isOpen = true
    this.#pump()
  }

  shut(): void {
    this.#isOpen = false
  }

  #pump(): void {
    for (const lane of lanes) {
      for (const zone of this.#waiting[lane]) {
        if (!this.#hasRoom(lane)) break
        void this.#start(zone, lane)
      }
    }
  }

  #hasRoom(lane: Lane): boolean {
    const { catalog, notified, check, stale, cold } = this.#counts
    if (!this.#isOpen) return false
    if (lane === 'catalog') return true
    if (lane === 'check') return check < this.#limits.checks
    const hasRoom = catalog + notified + stale + cold < this.#limits.transfers
    return lane === 'cold' ? hasRoom && cold < this.#limits.coldTransfers : hasRoom
  }

  async #start(zone: SecondaryZone, lane: Lane): Promise<void> {
    this.#waiting[lane].delete(zone)
    this.#laneOf.delete(zone)
    this.#running.set(zone, lane)
    this.#counts[lane]++
    await this.#run(zone, lane)
    this.#counts[lane]--
    this.#running.delete(zone)
    const again = this.#again.get(zone)
    this.#again.delete(zone)
    if (again) this.request(zone, again)
    this.#pump()
  }
}

function moreUrgent(lane: Lane, other: Lane | undefined): Lane {
  return other !== undefined && lanes.indexOf(other) < lanes.indexOf(lane) ? other : lane
}

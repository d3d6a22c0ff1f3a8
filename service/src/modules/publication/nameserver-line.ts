import { type DomainName, toSerial } from '@zonewright/dns'
import { widenSerial } from '#modules/primary/index.ts'
import { announceZone } from './announce-zone.ts'
import { Announcement, type Target } from './announcement.ts'
import type { NameserverTalk, SoaOutcome } from './nameserver-talk.ts'
import { Pace } from './pace.ts'
import { Presence } from './presence.ts'

/** Maximum number of zones that are announced to one nameserver at once; the others wait, and their changes are combined. */
const maxInFlight = 256
/** Behind for longer than this means out of sync. */
const outOfSyncMs = 10_000
const servesTimeoutMs = 500
const askTimeoutMs = 1_000

/** Callbacks about a nameserver. */
export interface LineEvents {
  seen(line: NameserverLine, target: Target, serial: number, tookMs: number): void
  notified(line: NameserverLine, isAcknowledged: boolean): void
  /** It stopped answering; or it answers again, and everything that it missed has to be announced. */
  presence(line: NameserverLine): void
}

/**
 * One nameserver, and every zone that is being announced to it: one announcement per zone at a time, and the newest serial wins.
 *
 * While it is away, nothing is kept for it; when it is back, a comparison finds what it has missed.
 */
export class NameserverLine {
  readonly name: string
  readonly #talk: NameserverTalk
  readonly #events: LineEvents
  readonly #pace: Pace
  readonly #presence: Presence
  /** Waiting for the beat of the pace, which uses no place; by the timers that end it. */
  readonly #paced = new Map<DomainName, { readonly announcement: Announcement; readonly timer: NodeJS.Timeout }>()
  /** Waiting for a place. */
  readonly #queue = new Map<DomainName, Announcement>()
  readonly #active = new Map<DomainName, Announcement>()
  /** Given up, with the time since when it has been behind. */
  readonly #stuck = new Map<DomainName, number>()
  /** Since when it has been out of sync, from going away (or from an earlier leader's time) until a comparison is done. */
  #behindSinceMs: number | undefined
  #isStopped = false

  /** `probeName` is queried while it is away: any answer counts. */
  constructor(name: string, talk: NameserverTalk, probeName: DomainName, events: LineEvents, pace = new Pace()) {
    this.name = name
    this.#talk = talk
    this.#events = events
    this.#pace = pace
    this.#presence = new Presence(
      async (timeoutMs) => (await talk.soa(probeName, timeoutMs)) !== 'silent',
      (isAway) => this.#presenceChanged(isAway),
    )
  }

  get isAway(): boolean {
    return this.#presence.isAway
  }

  /** Zones that are being announced, or wait for it. */
  get zoneCount(): number {
    return this.#paced.size + this.#queue.size + this.#active.size
  }

  /** Announces a zone at a serial: immediately, or once more after an announcement in progress. */
  announce(target: Target): void {
    if (this.#isStopped || this.isAway) return
    this.countChange()
    const { origin } = target
    const sinceMs = this.#behindSinceMs ?? this.#stuck.get(origin) ?? performance.now()
    const active = this.#active.get(origin)
    const waiting = this.#queue.get(origin) ?? this.#paced.get(origin)?.announcement
    if (active !== undefined) {
      if (isNewer(target, active.next?.target ?? active.target)) active.next = { target, sinceMs }
    } else if (waiting === undefined) this.#enter(new Announcement(target, sinceMs))
    else if (isNewer(target, waiting.target)) waiting.target = target
    this.#pump()
  }

  /** A change that is announced together with a later one of its zone. */
  countChange(): void {
    if (this.#isStopped || this.isAway) return
    this.#pace.changed(this.#active.size + this.#queue.size)
  }

  /** How long an announcement of this zone would have to wait for the beat now. */
  pacedMs(origin: DomainName): number {
    return this.#pace.waitMs(origin)
  }

  isAnnouncing(origin: DomainName): boolean {
    return this.#active.has(origin) || this.#queue.has(origin) || this.#paced.has(origin)
  }

  /** Whether it serves the zone now; false also if it does not answer in time. */
  async serves(origin: DomainName): Promise<boolean> {
    return typeof (await this.#talk.soa(origin, servesTimeoutMs)) === 'number'
  }

  /** Queries the serial of a zone. Whether it answers at all counts for `isAway`. */
  async askSerial(origin: DomainName): Promise<SoaOutcome> {
    const outcome = await this.#talk.soa(origin, askTimeoutMs)
    this.#presence.note(outcome !== 'silent')
    return outcome
  }

  /** The zone was sent to a secondary, maybe to this nameserver. The beat still applies. */
  hint(origin: DomainName): void {
    const announcement = this.#active.get(origin) ?? this.#queue.get(origin)
    announcement?.hint()
  }

  /** The zone is gone. */
  forget(origin: DomainName): void {
    clearTimeout(this.#paced.get(origin)?.timer)
    this.#paced.delete(origin)
    this.#queue.delete(origin)
    this.#stuck.delete(origin)
    this.#active.get(origin)?.drop()
  }

  /** Since when it has been out of sync, by `performance.now()`; undefined while it keeps up. */
  outOfSyncSinceMs(): number | undefined {
    if (this.#behindSinceMs !== undefined) return this.#behindSinceMs
    const oldestMs = this.#oldestMs()
    return performance.now() - oldestMs > outOfSyncMs ? oldestMs : undefined
  }

  /** How long ago the oldest change was announced that it does not serve yet; 0 when it serves all. */
  lagMs(): number {
    return Math.max(0, performance.now() - (this.#behindSinceMs ?? this.#oldestMs()))
  }

  /** An earlier leader knew it to be out of sync since then. */
  resumeBehind(sinceMs: number): void {
    this.#behindSinceMs = sinceMs
  }

  /** Everything that it lacks is being announced now. Once it serves the last of these changes, it has caught up. */
  compared(): void {
    if (this.isAway) return
    this.#behindSinceMs = undefined
    for (const origin of this.#stuck.keys()) {
      if (!this.isAnnouncing(origin)) this.#stuck.delete(origin)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#presence.stop()
    this.#dropAll()
  }

  #oldestMs(): number {
    let oldestMs = performance.now()
    for (const { announcement } of this.#paced.values()) oldestMs = Math.min(oldestMs, announcement.sinceMs)
    for (const { sinceMs } of this.#queue.values()) oldestMs = Math.min(oldestMs, sinceMs)
    for (const { sinceMs } of this.#active.values()) oldestMs = Math.min(oldestMs, sinceMs)
    for (const sinceMs of this.#stuck.values()) oldestMs = Math.min(oldestMs, sinceMs)
    return oldestMs
  }

  /** A zone that was announced a moment ago waits for the beat first. */
  #enter(announcement: Announcement): void {
    const { origin } = announcement.target
    const waitMs = this.#pace.waitMs(origin)
    if (waitMs === 0) {
      this.#queue.set(origin, announcement)
      return
    }
    const timer = setTimeout(() => {
      this.#paced.delete(origin)
      this.#queue.set(origin, announcement)
      this.#pump()
    }, waitMs)
    this.#paced.set(origin, { announcement, timer })
  }

  #pump(): void {
    for (const [origin, announcement] of this.#queue) {
      if (this.#active.size >= maxInFlight) return
      this.#queue.delete(origin)
      this.#active.set(origin, announcement)
      void this.#run(origin, announcement)
    }
  }

  async #run(origin: DomainName, announcement: Announcement): Promise<void> {
    this.#pace.started(origin)
    const isServed = await announceZone(announcement, {
      talk: this.#talk,
      isOver: () => announcement.isDropped,
      heard: (isAnswered) => this.#presence.note(isAnswered),
      notified: (isAcknowledged) => this.#events.notified(this, isAcknowledged),
      seen: (serial) => this.#seen(announcement, serial),
    })
    this.#active.delete(origin)
    if (isServed) this.#stuck.delete(origin)
    else if (!announcement.isDropped) this.#stuck.set(origin, announcement.sinceMs)
    const { next } = announcement
    if (next !== undefined && !this.#isStopped && !this.isAway) {
      this.#enter(new Announcement(next.target, next.sinceMs))
    }
    this.#pump()
  }

  #seen(announcement: Announcement, seen: number): boolean {
    const { target, next, sinceMs } = announcement
    const serial = widenSerial(toSerial(seen), target.serial)
    if (serial < target.serial) return false
    this.#events.seen(this, target, serial, performance.now() - sinceMs)
    // It may have a newer serial than the announced one.
    if (next !== undefined && !isNewer(next.target, { ...target, serial })) announcement.next = undefined
    return true
  }

  #presenceChanged(isAway: boolean): void {
    if (isAway) {
      this.#behindSinceMs ??= this.#oldestMs()
      this.#dropAll()
    }
    this.#events.presence(this)
  }

  #dropAll(): void {
    for (const { timer } of this.#paced.values()) clearTimeout(timer)
    this.#paced.clear()
    this.#queue.clear()
    for (const announcement of this.#active.values()) announcement.drop()
  }
}

function isNewer(target: Target, than: Target): boolean {
  return target.zoneId !== than.zoneId || target.serial > than.serial
}

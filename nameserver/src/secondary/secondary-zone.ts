import { type DomainName, type Serial, serialNewer } from '@zonewright/dns'
import type { SoaTimes } from './soa-times.ts'

/** Longest time until a zone that has no SOA yet is requested again. */
const coldRetryMs = 300_000
const firstRetryMs = 1000
const leastMs = 1000

/**
 * One zone that follows the primary: its version and when to query the primary again (RFC 1034 §4.3.5). Its records are in the tables.
 *
 * Times are milliseconds since 1970, since expiry has to outlive the process.
 */
export class SecondaryZone {
  readonly origin: DomainName
  /** The member's unique label; `undefined` for the catalog itself. */
  readonly label: string | undefined
  /** The serial that is held, `undefined` before the first transfer. An expired zone is still held. */
  serial: Serial | undefined
  /** When the primary last confirmed the version. */
  contactAtMs = 0
  /** When to query the primary again. Infinite while the query waits for its turn, and from the start until the link to the primary is up. */
  refreshAtMs = Number.POSITIVE_INFINITY
  /** Used only by the agenda. */
  enteredAtMs = Number.POSITIVE_INFINITY
  isExpired = false
  /** Whether it is stored on disk name by name, and not as one row. */
  isStoredByName = false
  /** The newest serial of a NOTIFY that is not yet served, or `unknown`. */
  wanted: Serial | 'unknown' | undefined
  /** The connection was lost in the middle of its last transfer: it waits for its date, even if the link is up earlier. */
  isSuspect = false
  // The times of the held SOA, in seconds.
  #refreshS = 0
  #retryS = 0
  #expireS = 0
  #failures = 0

  constructor(origin: DomainName, label: string | undefined) {
    this.origin = origin
    this.label = label
  }

  get isCatalog(): boolean {
    return this.label === undefined
  }

  /** Records the version that is held now. */
  hold({ serial, refresh, retry, expire }: SoaTimes): void {
    this.serial = serial
    this.#refreshS = refresh
    this.#retryS = retry
    this.#expireS = expire
  }

  /** When the zone expires; `undefined` for one that has expired already or has no data. */
  get expiresAtMs(): number | undefined {
    if (this.serial === undefined || this.isExpired) return undefined
    return this.contactAtMs + Math.max(this.#expireS * 1000, leastMs)
  }

  /** The next time at which something is due. */
  get nextAtMs(): number {
    return Math.min(this.refreshAtMs, this.expiresAtMs ?? Number.POSITIVE_INFINITY)
  }

  /** Whether the primary has announced, by NOTIFY, a newer version than ours. */
  get isBehind(): boolean {
    if (this.wanted === undefined) return false
    return this.wanted === 'unknown' || this.serial === undefined || serialNewer(this.wanted, this.serial)
  }

  /** Whether only a run that has not started yet will query the primary again. */
  get isWaiting(): boolean {
    return this.isExpired || this.refreshAtMs === Number.POSITIVE_INFINITY
  }

  /** Records a NOTIFY. @returns whether it is news. */
  notified(serial: Serial | undefined): boolean {
    const held = this.isExpired ? undefined : this.serial
    if (serial !== undefined && held !== undefined && !serialNewer(serial, held)) return false
    if (serial === undefined) this.wanted = 'unknown'
    else if (typeof this.wanted !== 'number' || serialNewer(serial, this.wanted)) this.wanted = serial
    return true
  }

  /** The zone waits for its turn. The run sets the next date. */
  queued(): void {
    this.refreshAtMs = Number.POSITIVE_INFINITY
  }

  /** A transfer begins. It will contain every change that a NOTIFY without a serial announced. */
  asked(): void {
    if (this.wanted === 'unknown') this.wanted = undefined
    this.isSuspect = false
  }

  /** The primary confirmed the current version: all timers start over. The times vary a little, so that zones are not all due at once. */
  refreshed(nowMs: number): void {
    this.contactAtMs = nowMs
    this.isExpired = false
    if (!this.isBehind) {
      this.wanted = undefined
      this.#failures = 0
    }
    const refreshMs = Math.max(this.#refreshS * 1000, leastMs)
    this.refreshAtMs = Math.round(nowMs + refreshMs * (0.9 + Math.random() * 0.1))
  }

  /** A query failed. The retry is soon, and the delay then grows up to the retry time of the SOA. */
  failed(nowMs: number): void {
    const mostMs = this.serial === undefined ? coldRetryMs : Math.max(this.#retryS * 1000, leastMs)
    this.refreshAtMs = nowMs + Math.min(firstRetryMs * 2 ** this.#failures, mostMs)
    this.#failures = Math.min(this.#failures + 1, 20)
  }
}

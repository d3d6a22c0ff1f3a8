import { type DomainName, type Serial, serialNewer, type Zone } from '@zonewright/dns'

/** A zone without an SOA of its own yet is tried again after so long at most. */
const coldRetryMs = 300_000
const firstRetryMs = 1000
const leastMs = 1000

/**
 * One zone that follows the primary: what we have of it, and when to ask again (RFC 1034 §4.3.5).
 *
 * Times are milliseconds since 1970, since expiry has to outlive the process.
 */
export class SecondaryZone {
  readonly origin: DomainName
  /** The member's unique label; `undefined` for the catalog itself. */
  readonly label: string | undefined
  /** Kept when it has expired: a primary that is back needs to send only what changed. */
  zone: Zone | undefined
  /** When the primary last vouched for it. */
  contactAtMs = 0
  /** When to ask again; infinite while that waits for its turn, also from the start until the primary is there. */
  refreshAtMs = Number.POSITIVE_INFINITY
  isExpired = false
  /** A NOTIFY that we have not caught up with: the newest serial told, or `unknown`. */
  wanted: Serial | 'unknown' | undefined
  #failures = 0

  constructor(origin: DomainName, label: string | undefined) {
    this.origin = origin
    this.label = label
  }

  get isCatalog(): boolean {
    return this.label === undefined
  }

  /** When the zone may not be answered any more; `undefined` for one that has or answers nothing anyway. */
  get expiresAtMs(): number | undefined {
    if (!this.zone || this.isExpired) return undefined
    return this.contactAtMs + Math.max(this.zone.soa.expire * 1000, leastMs)
  }

  /** The next time that something is due. */
  get nextAtMs(): number {
    return Math.min(this.refreshAtMs, this.expiresAtMs ?? Number.POSITIVE_INFINITY)
  }

  /** Whether the primary has said, by NOTIFY, that there is something newer than ours. */
  get isBehind(): boolean {
    if (this.wanted === undefined) return false
    return this.wanted === 'unknown' || !this.zone || serialNewer(this.wanted, this.zone.serial)
  }

  /** Takes note of a NOTIFY. @returns whether it tells anything new. */
  notified(serial: Serial | undefined): boolean {
    if (serial !== undefined && this.zone && !this.isExpired && !serialNewer(serial, this.zone.serial)) return false
    if (serial === undefined) this.wanted = 'unknown'
    else if (typeof this.wanted !== 'number' || serialNewer(serial, this.wanted)) this.wanted = serial
    return true
  }

  /** It waits for its turn; the run sets the next date. */
  queued(): void {
    this.refreshAtMs = Number.POSITIVE_INFINITY
  }

  /** A transfer begins: it will hold all that a NOTIFY without a serial was about. */
  asked(): void {
    if (this.wanted === 'unknown') this.wanted = undefined
  }

  /** The primary vouched for what we have now: all timers start over. Spread a little, so that zones do not march. */
  refreshed(nowMs: number): void {
    this.contactAtMs = nowMs
    this.isExpired = false
    if (!this.isBehind) {
      this.wanted = undefined
      this.#failures = 0
    }
    const refreshMs = Math.max((this.zone?.soa.refresh ?? 0) * 1000, leastMs)
    this.refreshAtMs = nowMs + refreshMs * (0.9 + Math.random() * 0.1)
  }

  /** Asking did not work: again soon, then ever later, up to the SOA's retry. */
  failed(nowMs: number): void {
    const mostMs = this.zone ? Math.max(this.zone.soa.retry * 1000, leastMs) : coldRetryMs
    this.refreshAtMs = nowMs + Math.min(firstRetryMs * 2 ** this.#failures, mostMs)
    this.#failures = Math.min(this.#failures + 1, 20)
  }
}

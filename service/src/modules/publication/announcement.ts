import type { DomainName, ResourceRecord } from '@zonewright/dns'

/** A zone at a serial that a nameserver is to serve. */
export interface Target {
  /** Undefined for the catalog. */
  readonly zoneId: string | undefined
  readonly origin: DomainName
  readonly serial: number
  /** A member of the catalog since a moment ago, which makes nameservers fetch it by themselves. */
  readonly isNew?: boolean
  /** The SOA of that serial, to go with the NOTIFY. */
  readonly soa: () => ResourceRecord
}

/** One zone on its way to one nameserver. Newer targets replace older ones: the newest serial wins. */
export class Announcement {
  /** Since when the nameserver has been behind, by `performance.now()`. */
  sinceMs: number
  target: Target
  /** Came while the target was already being announced: one more announcement afterwards. */
  next: { readonly target: Target; readonly sinceMs: number } | undefined
  #cut: (() => void) | undefined
  #isHinted = false
  #isDropped = false

  constructor(target: Target, sinceMs: number) {
    this.target = target
    this.sinceMs = sinceMs
  }

  /** No longer of interest: the zone is gone, or the nameserver away. */
  get isDropped(): boolean {
    return this.#isDropped
  }

  drop(): void {
    this.#isDropped = true
    this.next = undefined
    this.#cut?.()
  }

  /** The nameserver has been sent the zone: the next look at it is due now. */
  hint(): void {
    this.#isHinted = true
    this.#cut?.()
  }

  /** Waits so long, or until a hint or the end comes. Resolves to whether a hint came since the last pause. */
  async pause(ms: number): Promise<boolean> {
    if (!this.#isHinted && !this.#isDropped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#cut = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#cut = undefined
    }
    const wasHinted = this.#isHinted
    this.#isHinted = false
    return wasHinted
  }
}

import type { DomainName, ResourceRecord } from '@zonewright/dns'

/** A zone with the serial that a nameserver should serve. */
export interface Target {
  /** Undefined for the catalog. */
  readonly zoneId: string | undefined
  readonly origin: DomainName
  readonly serial: number
  /** True if the zone is new in the catalog, so nameservers fetch it without a NOTIFY. */
  readonly isNew?: boolean
  /** The SOA with that serial, for the NOTIFY. */
  readonly soa: () => ResourceRecord
}

/** The announcement of one zone to one nameserver. Newer targets replace older ones: the newest serial wins. */
export class Announcement {
  /** When the nameserver fell behind, by `performance.now()`. */
  sinceMs: number
  target: Target
  /** The target that arrived during the announcement of an earlier target. One more announcement follows. */
  next: { readonly target: Target; readonly sinceMs: number } | undefined
  #cut: (() => void) | undefined
  #isHinted = false
  #isDropped = false

  constructor(target: Target, sinceMs: number) {
    this.target = target
    this.sinceMs = sinceMs
  }

  /** True if the announcement was cancelled because the zone no longer exists or the nameserver is away. */
  get isDropped(): boolean {
    return this.#isDropped
  }

  drop(): void {
    this.#isDropped = true
    this.next = undefined
    this.#cut?.()
  }

  /** The zone was sent to the nameserver: the next query is due now. */
  hint(): void {
    this.#isHinted = true
    this.#cut?.()
  }

  /** Waits for this time, or until a hint or the end. Resolves to whether a hint came since the last pause. */
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

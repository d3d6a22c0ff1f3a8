import { networkOf } from '#platform/network-of.ts'

/** A connection, as far as it may have to make room. */
interface Crowded {
  /** The address of the client. */
  readonly from: string
  /** Whether answers are being prepared. */
  readonly isBusy: boolean
  destroy(): void
}

/** The share of all connections from which on silent ones are closed sooner. */
const crowdedShare = 3 / 4

/**
 * The open connections of a server that anyone may connect to, longest silent first. Silent ones are closed, and make room for new ones.
 * The nameservers do the same (`nameserver/src/doors/tcp-crowd.ts`).
 */
export class ConnectionCrowd {
  readonly #most: number
  readonly #limits: { readonly silentMs: number; readonly crowdedMs: number; readonly perClient: number }
  /** When each was last answered, by `performance.now()`. The order of a Map is that of the last answers. */
  readonly #all = new Map<Crowded, number>()
  readonly #byClient = new Map<string, Set<Crowded>>()
  #sweep: NodeJS.Timeout | undefined

  constructor(most: number, limits: { silentMs: number; crowdedMs: number; perClient: number }) {
    this.#most = most
    this.#limits = limits
  }

  /** Adds a connection. If there are too many, the one that has been silent longest is closed: of its client, or of all. */
  add(connection: Crowded): void {
    const client = networkOf(connection.from)
    const ofClient = this.#byClient.get(client) ?? new Set()
    if (ofClient.size >= this.#limits.perClient) this.#close(ofClient)
    else if (this.#all.size >= this.#most) this.#close(this.#all.keys())
    this.#byClient.set(client, ofClient.add(connection))
    this.#all.set(connection, performance.now())
    this.#sweep ??= setInterval(() => this.#closeSilent(), this.#limits.crowdedMs / 4).unref()
  }

  /** The connection was answered just now. */
  touch(connection: Crowded): void {
    if (!this.#all.delete(connection)) return
    this.#all.set(connection, performance.now())
    const ofClient = this.#byClient.get(networkOf(connection.from))
    ofClient?.delete(connection)
    ofClient?.add(connection)
  }

  /** Forgets a connection; once is enough. */
  remove(connection: Crowded): void {
    if (!this.#all.delete(connection)) return
    const client = networkOf(connection.from)
    const ofClient = this.#byClient.get(client)
    ofClient?.delete(connection)
    if (ofClient?.size === 0) this.#byClient.delete(client)
    if (this.#all.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #close(candidates: Iterable<Crowded>): void {
    const [first] = candidates
    if (first === undefined) return
    first.destroy()
    // Its place is free from now on, although the socket takes a moment to close.
    this.remove(first)
  }

  #closeSilent(): void {
    const isCrowded = this.#all.size > this.#most * crowdedShare
    const silentSince = performance.now() - (isCrowded ? this.#limits.crowdedMs : this.#limits.silentMs)
    for (const [connection, answeredAt] of this.#all) {
      if (answeredAt > silentSince) return
      if (!connection.isBusy) connection.destroy()
    }
  }
}

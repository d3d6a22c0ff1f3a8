import type { TcpConnection, TcpLimits } from './tcp-connection.ts'
import type { TcpTally } from './tcp-tally.ts'

/** If more than this share of all connections is in use, idle connections are closed sooner. */
const crowdedShare = 3 / 4

/** The open connections of all TCP doors, the one that has been idle longest first. Decides which connections are closed to make room for others. */
export class TcpCrowd {
  readonly #limits: TcpLimits
  readonly #tally: TcpTally
  /** When each connection last got a response, on the clock of `performance`. The entries of the Map are in this order. */
  readonly #all = new Map<TcpConnection, number>()
  readonly #byClient = new Map<string, Set<TcpConnection>>()
  #sweep: NodeJS.Timeout | undefined

  constructor(limits: TcpLimits, tally: TcpTally) {
    this.#limits = limits
    this.#tally = tally
  }

  add(connection: TcpConnection): void {
    const ofClient = this.#byClient.get(connection.clientKey) ?? new Set()
    if (ofClient.size >= this.#limits.connectionsPerClient) firstOf(ofClient)?.close('crowded')
    else if (this.#all.size >= this.#limits.connections) firstOf(this.#all.keys())?.close('crowded')
    this.#byClient.set(connection.clientKey, ofClient.add(connection))
    this.#all.set(connection, performance.now())
    this.#tally.accept()
    this.#tally.open++
    this.#sweep ??= setInterval(() => this.#closeSilent(), this.#sweepMs()).unref()
  }

  /** Records that the connection has just got a response. */
  touch(connection: TcpConnection): void {
    if (!this.#all.delete(connection)) return
    this.#all.set(connection, performance.now())
    const ofClient = this.#byClient.get(connection.clientKey)
    ofClient?.delete(connection)
    ofClient?.add(connection)
  }

  /** Removes a connection. Further calls have no effect. */
  remove(connection: TcpConnection): void {
    if (!this.#all.delete(connection)) return
    const ofClient = this.#byClient.get(connection.clientKey)
    ofClient?.delete(connection)
    if (ofClient?.size === 0) this.#byClient.delete(connection.clientKey)
    this.#tally.open--
    this.#tally.closed[connection.reason]++
    if (this.#all.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #closeSilent(): void {
    const isCrowded = this.#all.size > this.#limits.connections * crowdedShare
    const silentSince = performance.now() - (isCrowded ? this.#limits.crowdedIdleMs : this.#limits.idleMs)
    for (const [connection, answeredAt] of this.#all) {
      if (answeredAt > silentSince) return
      connection.close(connection.isUnread ? 'unread' : 'idle')
    }
  }

  /** Runs often enough that no connection stays open much longer than allowed. */
  #sweepMs(): number {
    return Math.min(this.#limits.idleMs, this.#limits.crowdedIdleMs) / 4
  }
}

function firstOf(connections: Iterable<TcpConnection>): TcpConnection | undefined {
  for (const connection of connections) return connection
  return undefined
}

import type { Connection } from './connection.ts'

/** How long an idle connection is kept if its receiver sends no `Keep-Alive` timeout. */
const keepMs = 20_000
/** The maximum time that a connection is kept, whatever timeout its receiver sends. */
const maxKeepMs = 60_000
/** A connection is closed this long before its receiver would close it, so that no request is sent on a closing connection. */
const marginMs = 2_000
const sweepMs = 5_000

/** Idle connections by their host, the most recently used one first. */
export class KeptConnections {
  readonly #idle = new Map<string, Connection[]>()
  readonly #all = new Set<Connection>()
  #sweeper: NodeJS.Timeout | undefined

  /** Adds a new connection, which is busy. `close` also ends it. */
  add(connection: Connection): void {
    this.#all.add(connection)
    connection.onGone = () => this.#remove(connection)
  }

  /** Takes an idle connection to a host. */
  take(host: string): Connection | undefined {
    const idle = this.#idle.get(host)
    const nowMs = performance.now()
    for (let kept = idle?.pop(); kept; kept = idle?.pop()) {
      if (idle?.length === 0) this.#idle.delete(host)
      if (kept.idleUntilMs > nowMs) return kept
      kept.destroy()
    }
    return undefined
  }

  /** Keeps a connection for the next request. @param keepAlive the receiver's `Keep-Alive` header */
  keep(connection: Connection, keepAlive: string | undefined): void {
    const [, seconds] = /(?:^|[,;\s])timeout=(\d{1,6})/i.exec(keepAlive ?? '') ?? []
    const forMs = seconds === undefined ? keepMs : Math.min(Number(seconds) * 1_000 - marginMs, maxKeepMs)
    if (forMs <= 0) {
      connection.destroy()
      return
    }
    connection.idleUntilMs = performance.now() + forMs
    const idle = this.#idle.get(connection.host)
    if (idle) idle.push(connection)
    else this.#idle.set(connection.host, [connection])
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref()
  }

  close(): void {
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
    for (const connection of this.#all) connection.destroy()
  }

  #sweep(): void {
    const nowMs = performance.now()
    for (const connection of [...this.#idle.values()].flat()) if (connection.idleUntilMs <= nowMs) connection.destroy()
    if (this.#idle.size > 0) return
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection)
    const idle = this.#idle.get(connection.host)
    const at = idle?.indexOf(connection) ?? -1
    if (at !== -1) idle?.splice(at, 1)
    if (idle?.length === 0) this.#idle.delete(connection.host)
  }
}

import { randomBytes } from 'node:crypto'
import type { Command, Response } from '@zonewright/epp'
import { ConnectionLost } from './connection.ts'
import { EppSession, LoginRefused } from './session.ts'
import type { EppSettings } from './settings.ts'

/** The adapter's log for operators; pino's loggers have this shape. Never documents: they contain passwords. */
export interface EppLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** No session was available, so nothing was sent. */
export class NoSession extends Error {}

/** Creates a command for the extensions that the registry supports. */
export type CommandFor = (speaks: (namespace: string) => boolean) => Command

interface Waiter {
  readonly give: (session: EppSession) => void
  readonly fail: (error: Error) => void
}

/** A failed login is retried after a growing pause: registries lock out clients that log in too often. */
const longestRetry = 32

/** A few sessions, which are opened on demand. Each has at most one command in progress. */
export class SessionPool {
  readonly #settings: EppSettings
  readonly #log: EppLog
  readonly #idle: EppSession[] = []
  readonly #open = new Set<EppSession>()
  readonly #waiters = new Set<Waiter>()
  readonly #hellos: NodeJS.Timeout
  #isOpening = false
  #failures = 0
  #retryAt = 0
  #lastFailure: Error | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(settings: EppSettings, log: EppLog) {
    this.#settings = settings
    this.#log = log
    this.#hellos = setInterval(() => this.#greetIdle(), settings.helloEveryMs / 4).unref()
  }

  /**
   * Sends a command and returns its response. Throws NoSession and LoginRefused: nothing was sent. ConnectionLost: the outcome is
   * unknown, and the connection is closed. EppFault: the command cannot be sent.
   */
  async send(commandFor: CommandFor): Promise<Response> {
    for (;;) {
      const session = await this.#take()
      const command = commandFor((namespace) => session.extensions.includes(namespace))
      const began = performance.now()
      try {
        const response = await session.send(command)
        this.#tell(command, began, response.results[0].code)
        return response
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        this.#log.warn({ ...this.#fields(command, began), wasSent: error.wasWritten }, error.message)
        // The session ended while it was idle. Nothing was written, so another session can be used.
        if (error.wasWritten) throw error
      } finally {
        this.#give(session)
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#hellos)
    clearTimeout(this.#retry)
    for (const waiter of this.#waiters) waiter.fail(new NoSession('The service is stopping.'))
    await Promise.all(
      [...this.#open].map((session) => (this.#idle.includes(session) ? session.logOut(newTrid()) : session.close())),
    )
  }

  #take(): Promise<EppSession> {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (session.isOpen) return Promise.resolve(session)
      this.#forget(session)
    }
    if (this.#isClosed) return Promise.reject(new NoSession('The service is stopping.'))
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        give: (session) => {
          settle()
          resolve(session)
        },
        fail: (error) => {
          settle()
          reject(error)
        },
      }
      const { queueTimeoutMs } = this.#settings
      const timer = setTimeout(
        () => waiter.fail(new NoSession(`No session was free within ${queueTimeoutMs / 1000} s.`)),
        queueTimeoutMs,
      )
      this.#waiters.add(waiter)
      void this.#openMore()
    })
  }

  #give(session: EppSession): void {
    if (!session.isOpen) {
      this.#forget(session)
      if (this.#waiters.size > 0) void this.#openMore()
      return
    }
    const [waiter] = this.#waiters
    if (waiter === undefined) this.#idle.push(session)
    else waiter.give(session)
  }

  /** Opens sessions one after another, while there are waiting callers and the limit allows more. */
  async #openMore(): Promise<void> {
    if (this.#isOpening) return
    this.#isOpening = true
    let isOpened = true
    while (isOpened && this.#waiters.size > 0 && this.#open.size < this.#settings.sessions && !this.#isClosed)
      isOpened = await this.#openOne()
    this.#isOpening = false
  }

  async #openOne(): Promise<boolean> {
    try {
      if (performance.now() < this.#retryAt) throw this.#lastFailure ?? new NoSession('The last login failed.')
      const session = await EppSession.open(this.#settings, newTrid())
      this.#failures = 0
      this.#open.add(session)
      this.#log.info({ registry: this.#settings.id, sessions: this.#open.size }, 'logged in')
      if (this.#isClosed) await session.close()
      this.#give(session)
      return true
    } catch (error) {
      this.#fail(error as Error)
      return false
    }
  }

  /** Rejects all waiting callers, unless other sessions are open and will be free. */
  #fail(error: Error): void {
    if (error !== this.#lastFailure) {
      const { id, loginRetryMs } = this.#settings
      const waitMs = loginRetryMs * Math.min(2 ** this.#failures, longestRetry)
      this.#failures++
      this.#retryAt = performance.now() + waitMs
      this.#lastFailure = error instanceof LoginRefused ? error : new NoSession(error.message)
      this.#log.warn({ registry: id, waitMs }, `No session: ${error.message}`)
    }
    if (this.#open.size === 0) {
      for (const waiter of this.#waiters) waiter.fail(this.#lastFailure ?? error)
      return
    }
    // The open sessions must suffice; each waiting caller has its own time limit.
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#openMore(), Math.max(1, this.#retryAt - performance.now())).unref()
  }

  #forget(session: EppSession): void {
    this.#open.delete(session)
  }

  #greetIdle(): void {
    const { helloEveryMs } = this.#settings
    const quiet = this.#idle.filter(({ usedAt }) => performance.now() - usedAt >= helloEveryMs)
    for (const session of quiet) {
      this.#idle.splice(this.#idle.indexOf(session), 1)
      session
        .hello()
        .catch((error: Error) =>
          this.#log.info({ registry: this.#settings.id }, `An idle session ended: ${error.message}`),
        )
        .finally(() => this.#give(session))
    }
  }

  #tell(command: Command, began: number, code: number): void {
    // Polled continuously, so an empty queue is not logged.
    if (code === 1300) return
    this.#log.info({ ...this.#fields(command, began), code }, 'answered')
  }

  #fields({ kind, clTrid }: Command, began: number): object {
    return { registry: this.#settings.id, command: kind, clTrid, durationMs: Math.round(performance.now() - began) }
  }
}

/** A client transaction id that is not stored. */
export function newTrid(): string {
  return `zw-${randomBytes(9).toString('base64url')}`
}

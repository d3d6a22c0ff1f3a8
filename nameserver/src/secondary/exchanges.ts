import { randomInt } from 'node:crypto'
import {
  buildMessage,
  type Message,
  parseMessage,
  Rcode,
  RrType,
  TsigFault,
  type TsigKey,
  TsigSession,
} from '@zonewright/dns'
import { hmac, unixSeconds } from '../tsig.ts'

interface Exchange {
  readonly session: TsigSession
  /** @returns whether the answer is complete. */
  readonly receive: (answer: Message) => boolean
  readonly fail: (error: unknown) => void
  readonly startedAtMs: number
  /** How long to wait for the first message. */
  readonly firstMs: number
  heardAtMs: number
  /** Whether part of the response has arrived. */
  hasBegun: boolean
}

/** How long to wait for a response to begin, and how long it may take in total. */
export interface ExchangeTimes {
  readonly silentMs: number
  /** How long a transfer may wait for its turn at the primary. After a timeout, the primary would still send the transfer for nothing. */
  readonly turnMs: number
  readonly longestExchangeMs: number
}

/** The queries in progress on one connection, identified by id, each with its own signatures (RFC 7766 §6.2.1, 8945). */
export class Exchanges {
  readonly #key: TsigKey
  readonly #times: ExchangeTimes
  readonly #open = new Map<number, Exchange>()
  /** Ids whose exchange failed before its last message: later messages for them are discarded. */
  readonly #abandoned = new Set<number>()
  #nextId = randomInt(0x10000)

  constructor(key: TsigKey, times: ExchangeTimes) {
    this.#key = key
    this.#times = times
  }

  get size(): number {
    return this.#open.size
  }

  get abandonedCount(): number {
    return this.#abandoned.size
  }

  /** Begins an exchange. `send` gets the signed query, and `read` gets each message of the response until it returns a value. */
  begin<T>(
    ask: (id: number) => Message,
    read: (answer: Message) => T | undefined,
    send: (wire: Uint8Array) => void,
  ): Promise<T> {
    return new Promise((resolve, fail) => {
      const id = this.#freeId()
      const session = new TsigSession(this.#key, hmac)
      const receive = (answer: Message) => {
        const result = read(answer)
        if (result === undefined) return false
        // Only messages in between may go unsigned (RFC 8945 §5.3.1).
        if (!session.isSettled) throw new TsigFault(Rcode.FORMERR, 'The last message of the answer is not signed.')
        resolve(result)
        return true
      }
      const query = ask(id)
      const firstMs = isTransfer(query) ? this.#times.turnMs : this.#times.silentMs
      const nowMs = performance.now()
      this.#open.set(id, { session, receive, fail, startedAtMs: nowMs, firstMs, heardAtMs: nowMs, hasBegun: false })
      send(session.sign(buildMessage(query), unixSeconds()))
    })
  }

  /** @returns whether the message responds to a query that was sent on this connection. */
  receive(wire: Uint8Array): boolean {
    const id = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
    const exchange = this.#open.get(id)
    if (!exchange) return this.#abandoned.has(id)
    exchange.heardAtMs = performance.now()
    try {
      exchange.session.verify(wire, unixSeconds())
      exchange.hasBegun = true
      if (exchange.receive(parseMessage(wire))) this.#open.delete(id)
    } catch (error) {
      this.#abandon(id, exchange, error)
    }
    return true
  }

  /** Fails exchanges that have waited or lasted too long. */
  failOverdue(): void {
    const nowMs = performance.now()
    const { silentMs, longestExchangeMs } = this.#times
    for (const [id, exchange] of this.#open) {
      if (nowMs - exchange.heardAtMs > (exchange.hasBegun ? silentMs : exchange.firstMs)) {
        this.#abandon(id, exchange, new Error('no answer from the primary'))
      } else if (nowMs - exchange.startedAtMs > longestExchangeMs) {
        this.#abandon(id, exchange, new Error('the transfer does not end'))
      }
    }
  }

  /** The connection is lost: all queries in progress fail, and the next connection starts with none. */
  failAll(errorFor: (hasBegun: boolean) => Error): void {
    const lost = [...this.#open.values()]
    this.#open.clear()
    this.#abandoned.clear()
    for (const exchange of lost) exchange.fail(errorFor(exchange.hasBegun))
  }

  #abandon(id: number, exchange: Exchange, error: unknown): void {
    this.#open.delete(id)
    this.#abandoned.add(id)
    exchange.fail(error)
  }

  #freeId(): number {
    do this.#nextId = (this.#nextId + 1) & 0xffff
    while (this.#open.has(this.#nextId) || this.#abandoned.has(this.#nextId))
    return this.#nextId
  }
}

function isTransfer({ questions }: Message): boolean {
  const type = questions[0]?.type
  return type === RrType.AXFR || type === RrType.IXFR
}

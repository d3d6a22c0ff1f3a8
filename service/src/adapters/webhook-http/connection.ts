import type { TLSSocket } from 'node:tls'
import { Deadline } from '#platform/work/deadline.ts'
import { brokenSentence } from './connect-sentences.ts'
import { SendFailure } from './failure.ts'
import type { Target } from './guard.ts'
import { type ResponseHead, ResponseReader } from './response-reader.ts'
import type { TimeLimit } from './time-limit.ts'
import { tlsSentence } from './tls-sentences.ts'

/** The maximum number of body bytes that are kept (design: webhooks, "The request"). */
const maxBodyBytes = 16 * 1024
/** The maximum time for reading a body. The headers have already decided the outcome, and the lane waits. */
const bodyWithinMs = 1_000

/** The final response, with as much of its body as arrived. */
export interface Response {
  readonly head: ResponseHead
  readonly body: Buffer
}

/** A kept connection broke before the first byte of an answer: the request may never have been read. */
export class StaleConnection extends SendFailure {}

/** One TLS connection to a receiver, with one request at a time. */
export class Connection {
  readonly host: string
  /** While idle: when it expires, by `performance.now()`. */
  idleUntilMs = 0
  /** Called once the connection is closed. */
  onGone: (() => void) | undefined
  readonly #target: Target
  readonly #socket: TLSSocket
  #exchange: Exchange | undefined
  #isUsed = false

  constructor(target: Target, socket: TLSSocket) {
    this.host = target.url.host
    this.#target = target
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      // Bytes between two responses belong to neither.
      if (this.#exchange && !this.#exchange.isOver) this.#exchange.received(chunk)
      else socket.destroy()
    })
    socket.on('end', () => this.#ended(undefined))
    socket.on('error', (error) => this.#ended(error))
    socket.on('close', () => {
      this.#ended(undefined)
      this.onGone?.()
    })
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Whether another request can be sent. */
  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable && this.#socket.writableLength === 0
  }

  /** Sends a request. Rejects with a SendFailure; a StaleConnection says nothing about the receiver. */
  async send(head: string, body: Uint8Array, limit: TimeLimit): Promise<Response> {
    const socket = this.#socket
    const isReused = this.#isUsed
    this.#isUsed = true
    socket.ref()
    try {
      return await new Promise<Response>((resolve, reject) => {
        const exchange = new Exchange(this.#target, isReused, resolve, reject)
        this.#exchange = exchange
        limit.onOver = () => exchange.timeIsUp(socket.writableLength > 0)
        if (socket.destroyed) exchange.ended(socket.errored ?? undefined)
        else if (!exchange.isOver) {
          socket.cork()
          socket.write(head, 'latin1')
          socket.write(body)
          socket.uncork()
        }
      })
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      limit.onOver = undefined
      this.#exchange = undefined
      socket.unref()
    }
  }

  #ended(error: Error | undefined): void {
    this.#exchange?.ended(error)
    this.#socket.destroy()
  }
}

/** A request on a connection, and as much of its response as has arrived. */
class Exchange {
  readonly #reader = new ResponseReader(maxBodyBytes)
  readonly #target: Target
  readonly #isReused: boolean
  readonly #resolve: (response: Response) => void
  readonly #reject: (failure: SendFailure) => void
  #bodyDeadline: Deadline | undefined
  isOver = false

  constructor(
    target: Target,
    isReused: boolean,
    resolve: (response: Response) => void,
    reject: (failure: SendFailure) => void,
  ) {
    this.#target = target
    this.#isReused = isReused
    this.#resolve = resolve
    this.#reject = reject
  }

  received(chunk: Buffer): void {
    const reader = this.#reader
    try {
      reader.push(chunk)
    } catch (error) {
      this.#fail(error as SendFailure)
      return
    }
    if (reader.head === undefined) return
    if (reader.isDone || reader.isFull) this.#succeed()
    else this.#bodyDeadline ??= new Deadline(bodyWithinMs, () => this.#succeed())
  }

  /** The connection is closed, or broke. */
  ended(error: Error | undefined): void {
    if (this.isOver) return
    this.#reader.end()
    const sentence = error && tlsSentence(this.#target, error)
    if (sentence !== undefined) this.#fail(new SendFailure('tls', sentence, error))
    else {
      const { hasBegun } = this.#reader
      const Failure = this.#isReused && !hasBegun ? StaleConnection : SendFailure
      this.#fail(new Failure('connect', brokenSentence(error, hasBegun), error))
    }
  }

  /** @param isUnread the receiver has not taken the whole request */
  timeIsUp(isUnread: boolean): void {
    const { hasBegun, interim } = this.#reader
    const what =
      interim > 0
        ? 'sent an interim (1xx) response but no final one'
        : hasBegun
          ? 'began to answer but did not complete the response headers'
          : isUnread
            ? 'did not read the whole request'
            : 'did not answer'
    this.#fail(new SendFailure('timeout', `The receiver ${what} within 10 seconds.`))
  }

  /** Once the headers have arrived, the outcome is decided: a fault in the body only ends the body. */
  #fail(failure: SendFailure): void {
    if (this.#reader.head !== undefined) this.#succeed()
    else if (!this.isOver) {
      this.isOver = true
      this.#reject(failure)
    }
  }

  #succeed(): void {
    const { head, body, isDone } = this.#reader
    if (this.isOver || head === undefined) return
    this.isOver = true
    this.#bodyDeadline?.met()
    const whole = body.length === 1 ? (body[0] as Buffer) : Buffer.concat(body)
    this.#resolve({ head: isDone ? head : { ...head, isKept: false }, body: whole })
  }
}

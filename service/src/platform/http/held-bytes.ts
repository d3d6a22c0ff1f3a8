import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { Room } from '../room.ts'

/** Bodies and responses up to this size are let in while there is any room; larger ones must leave a quarter of it free. */
const smallBytes = 64 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body that were received and are held. */
    bodyBytes: number
  }
}

/** Bytes of responses that one connection still has to send. */
interface Unsent {
  bytes: number
}

/**
 * The bytes of request bodies and responses that a process holds, and their limit.
 *
 * A body counts from the moment its bytes arrive until its request is answered; a response until its last byte is sent, or its
 * connection is gone. A request that needs more than there is room for is refused with `unavailable`. The response to a request that
 * may have changed something is counted, and never refused.
 */
export class HeldBytes {
  readonly #room: Room
  readonly #spareBytes: number
  readonly #unsent = new WeakMap<Socket, Unsent>()

  constructor(fastify: FastifyInstance, maxBytes: number) {
    this.#room = new Room({ bytes: maxBytes, waitMs: 0 })
    this.#spareBytes = maxBytes / 4
    fastify.decorateRequest('bodyBytes', 0)
    fastify.addHook('onSend', (request, reply, payload, done) => {
      this.#room.leave(request.bodyBytes)
      request.bodyBytes = 0
      this.#sending(request, reply, bytesOf(payload))
      done(null, payload)
    })
  }

  get bytes(): number {
    return this.#room.usedBytes
  }

  /** @throws Refusal `unavailable` when there is no room for more of a body */
  takeBody(request: FastifyRequest, bytes: number): void {
    const all = request.bodyBytes + bytes
    if (!this.#room.tryTake(bytes, this.#spareFor(all))) throw noRoom()
    request.bodyBytes = all
  }

  /** @throws Refusal `unavailable` when there is no room for a response of this size */
  refuseResponse(bytes: number): void {
    if (!this.#room.hasRoomFor(bytes, this.#spareFor(bytes))) throw noRoom()
  }

  #spareFor(bytes: number): number {
    return bytes > smallBytes ? this.#spareBytes : 0
  }

  #sending({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, bytes: number): void {
    if (bytes === 0 || socket.destroyed) return
    const unsent = this.#unsentOf(socket)
    unsent.bytes += bytes
    this.#room.take(bytes)
    response.once('finish', () => {
      // The connection may be gone by now, and all that it had to send with it.
      const sent = Math.min(bytes, unsent.bytes)
      unsent.bytes -= sent
      this.#room.leave(sent)
    })
  }

  /** One listener a connection: a response that waits behind another one is not told that the connection is gone. */
  #unsentOf(socket: Socket): Unsent {
    const known = this.#unsent.get(socket)
    if (known !== undefined) return known
    const unsent: Unsent = { bytes: 0 }
    this.#unsent.set(socket, unsent)
    socket.once('close', () => {
      this.#room.leave(unsent.bytes)
      unsent.bytes = 0
    })
    return unsent
  }
}

function bytesOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
}

function noRoom(): Refusal {
  return new Refusal(
    'unavailable',
    'The service holds as many large requests and responses as it can. Nothing was changed; try again in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )
}

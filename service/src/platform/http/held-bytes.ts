import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { BodyBudget } from '../work/body-budget.ts'

/** Bodies and responses up to this size are accepted while there is any room; larger ones must leave a quarter of the limit free. */
const smallBytes = 64 * 1024
/** A response up to this size is not counted: writing it passes it to the kernel at once. */
const leastCountedBytes = 4 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body that were received and are held. */
    bodyBytes: number
  }
}

/**
 * Counts and limits the bytes of request bodies and responses that a process holds.
 *
 * A body counts from the moment its bytes arrive until its request is answered; a response counts until its last byte is sent or its
 * connection has closed. A request that needs more room than is left is refused with `unavailable`. The response to a request that may
 * have changed something is counted, but never refused.
 */
export class HeldBytes {
  readonly #bodyBudget: BodyBudget
  readonly #spareBytes: number

  constructor(fastify: FastifyInstance, maxBytes: number) {
    this.#bodyBudget = new BodyBudget({ bytes: maxBytes, waitMs: 0 })
    this.#spareBytes = maxBytes / 4
    fastify.decorateRequest('bodyBytes', 0)
    fastify.addHook('onSend', (request, reply, payload, done) => {
      this.#bodyBudget.leave(request.bodyBytes)
      request.bodyBytes = 0
      this.#sending(request, reply, bytesOf(payload))
      done(null, payload)
    })
  }

  get bytes(): number {
    return this.#bodyBudget.usedBytes
  }

  /** @throws Refusal `unavailable` when there is no room for more of a body */
  takeBody(request: FastifyRequest, bytes: number): void {
    const all = request.bodyBytes + bytes
    if (!this.#bodyBudget.tryTake(bytes, this.#spareFor(all))) throw noRoom()
    request.bodyBytes = all
  }

  /** @throws Refusal `unavailable` when there is no room for a response of this size */
  refuseResponse(bytes: number): void {
    if (!this.#bodyBudget.hasRoomFor(bytes, this.#spareFor(bytes))) throw noRoom()
  }

  #spareFor(bytes: number): number {
    return bytes > smallBytes ? this.#spareBytes : 0
  }

  #sending({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, bytes: number): void {
    if (bytes <= leastCountedBytes || socket.destroyed) return
    this.#bodyBudget.take(bytes)
    // Its last byte is sent, or the connection is gone. No response waits behind another one, where it would see neither (`serveInOrder`).
    response.once('close', () => this.#bodyBudget.leave(bytes))
  }
}

function bytesOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
}

function noRoom(): Refusal {
  return new Refusal(
    'unavailable',
    'The service is handling too many large requests and responses. Nothing was changed. Try again in a few seconds.',
    { headers: { 'retry-after': '5' } },
  )
}

import { slackBytes } from '../tables/reply.ts'
import { scratchBytes } from '../tables/resolver.ts'
import { Responder, type ResponderParts } from './responder.ts'
import { type Client, largestTcpBytes, type Transport } from './table-responder.ts'

/**
 * Answers one query. Returns `undefined` for no answer: the query is shorter than a header, is itself an answer, or
 * exceeds the rate limit. `client` is the source address of 4 or 16 bytes.
 */
export type Answer = (query: Uint8Array, transport: Transport, client: DataView) => Uint8Array | undefined

export type AnswerParts = Omit<ResponderParts, 'packets' | 'scratchAt'>

/** A responder with its own memory, for doors whose queries arrive one by one: each answer is a copy. */
export function createAnswer(parts: AnswerParts): Answer {
  const scratchAt = largestTcpBytes + 1 + slackBytes
  const memory = new Uint8Array(scratchAt + scratchBytes)
  const responder = new Responder({ ...parts, packets: new DataView(memory.buffer), scratchAt })
  const client: { view: DataView; at: number; bytes: number } = { view: new DataView(memory.buffer), at: 0, bytes: 4 }
  return (query, transport, from) => {
    memory.set(query)
    client.view = from
    client.bytes = from.byteLength
    responder.tick(Date.now())
    const length = responder.respond(0, query.length, transport, client satisfies Client)
    return length === 0 ? undefined : memory.slice(0, length)
  }
}

import { type Command, type ReadXml, type Response, readMessage } from '@zonewright/epp'
import type { QueuedMessage } from './objects.ts'
import type { Registry } from './registry.ts'
import type { Reply } from './reply.ts'

/** A response to a poll includes the state of the queue. */
export interface PollReply extends Reply {
  readonly queue?: NonNullable<Response['queue']>
}

/** RFC 5730 §2.9.2.3: a message stays the oldest until its registrar acknowledges it. */
export function poll(
  registry: Registry,
  readXml: ReadXml,
  registrar: string,
  { op, messageId }: Extract<Command, { kind: 'poll' }>['body'],
): PollReply {
  const [oldest, ...others] = messagesFor(registry, registrar)
  if (op === 'ack') {
    if (messageId === undefined) return { code: 2003, reasons: ['Which message?'] }
    const message = registry.store.get('message', messageId)
    if (message?.registrar !== registrar) return { code: 2303, reasons: [`There is no message ${messageId}`] }
    registry.store.remove('message', messageId)
    const count = others.length
    return {
      code: 1000,
      queue: { count, id: count === 0 ? messageId : (messagesFor(registry, registrar)[0]?.id ?? messageId) },
    }
  }
  if (oldest === undefined) return { code: 1300 }
  const { id, at, text, document } = oldest
  return {
    code: 1301,
    queue: { count: others.length + 1, id, date: new Date(at), text },
    data: document === undefined ? {} : dataOf(readXml, document),
  }
}

function messagesFor(registry: Registry, registrar: string): QueuedMessage[] {
  return [...registry.store.all('message')].filter((message) => message.registrar === registrar)
}

function dataOf(readXml: ReadXml, document: string): Response['data'] {
  const message = readMessage(readXml(new TextEncoder().encode(document)))
  return message.kind === 'response' ? message.response.data : {}
}

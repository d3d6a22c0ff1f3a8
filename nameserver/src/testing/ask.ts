import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import {
  buildMessage,
  DnsClass,
  FrameReader,
  frame,
  type Message,
  parseMessage,
  parseName,
  parseType,
  rdataToText,
} from '@zonewright/dns'
import type { Endpoint } from '../endpoint.ts'

/** A query as a stub resolver sends it. */
export function queryFor(name: string, type: string, fields: Partial<Message> = {}): Uint8Array {
  const question = { name: parseName(name), type: parseType(type), class: DnsClass.IN }
  return buildMessage({ id: 4711, rd: true, questions: [question], ...fields })
}

/** Sends a query over UDP. */
export async function ask({ host, port }: Endpoint, name: string, type: string): Promise<Message> {
  return parseMessage(await sendUdp({ host, port }, queryFor(name, type)))
}

/** Sends one datagram and returns the response. */
export async function sendUdp({ host, port }: Endpoint, wire: Uint8Array, timeoutMs = 5000): Promise<Uint8Array> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
  try {
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(timeoutMs) })
    socket.send(wire, port, host)
    const [response] = await answered
    return response
  } finally {
    socket.close()
  }
}

/** Sends messages over one TCP connection, all at once, and returns as many responses. */
export async function sendTcp({ host, port }: Endpoint, wires: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const socket = connect({ host, port })
  const reader = new FrameReader()
  const answers: Uint8Array[] = []
  for (const wire of wires) socket.write(frame(wire))
  for await (const chunk of socket) {
    answers.push(...reader.feed(chunk))
    if (answers.length >= wires.length) break
  }
  return answers
}

/** The data of the answer section in presentation form, one text per record. */
export function answerTexts(message: Message): string[] {
  return message.answers.map(({ type, data }) => rdataToText(type, data))
}

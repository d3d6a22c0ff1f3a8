import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import {
  buildMessage,
  DnsClass,
  FrameReader,
  frame,
  type Message,
  type Question,
  tryParseMessage,
} from '@zonewright/dns'
import { hostAndPort } from '../web/listen.ts'
import { ourEdns } from './answer-size.ts'

const timeoutMs = 1_000

/** Queries a server with DO set, over UDP, and over TCP if the answer was truncated (RFC 2181 §9). Undefined: no answer in time. */
export async function askServer(server: string, question: Question): Promise<Message | undefined> {
  const id = randomInt(0x10000)
  const wire = buildMessage({
    id,
    questions: [{ ...question, class: DnsClass.IN }],
    edns: { ...ourEdns, dnssecOk: true },
  })
  const asked = { id, wire, ...hostAndPort(server) }
  const answer = await askByUdp(asked)
  return answer?.tc ? await askByTcp(asked) : answer
}

interface Asked {
  readonly id: number
  readonly wire: Uint8Array
  readonly host: string
  readonly port: number
}

function askByUdp({ id, wire, host, port }: Asked): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    const end = (message: Message | undefined): void => {
      clearTimeout(timer)
      socket.close()
      resolve(message)
    }
    const timer = setTimeout(() => end(undefined), timeoutMs)
    socket.once('error', () => end(undefined))
    // The callback of `connect` would also be called on a failure.
    socket.once('connect', () => socket.send(wire))
    socket.on('message', (bytes) => {
      const message = answerIn(bytes, id)
      if (message !== undefined) end(message)
    })
    socket.connect(port, host)
  })
}

function askByTcp({ id, wire, host, port }: Asked): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host })
    const frames = new FrameReader()
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      // Without effect if there was an answer.
      resolve(undefined)
    })
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of frames.feed(chunk)) {
        const message = answerIn(bytes, id)
        if (message === undefined) continue
        resolve(message)
        socket.destroy()
      }
    })
    socket.write(frame(wire))
  })
}

function answerIn(bytes: Uint8Array, id: number): Message | undefined {
  const message = tryParseMessage(bytes)
  return message?.id === id && message.qr ? message : undefined
}

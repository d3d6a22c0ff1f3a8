import { randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import {
  buildMessage,
  DnsClass,
  type DomainName,
  FrameReader,
  frame,
  type Message,
  Opcode,
  parseMessage,
  Rcode,
  type RrType,
  type WireRecord,
} from '@zonewright/dns'
import { Deadline } from '#platform/work/deadline.ts'

/** The address of a DNS server: an IP address, without brackets, and a port. */
export interface Server {
  readonly host: string
  readonly port: number
}

/** One question to one server. */
export interface Query {
  readonly name: DomainName
  readonly type: RrType
  /** RD: a request for recursion. Sent to resolvers only. */
  readonly recursive: boolean
  /** The timeout of a response over UDP, and again of one over TCP. */
  readonly timeoutMs: number
  /** Waits until the next message may be sent, including a repeated query. False: none may be sent. */
  readonly turn?: () => Promise<boolean>
}

/** No response arrived in time, or it does not match the query. */
export type AskFailure = 'timeout' | 'broken'

/** Passes every path unfragmented (RFC 9715). */
const largestUdpBytes = 1232

/**
 * Queries over UDP, and over TCP if the response was truncated (RFC 7766 §5) or has the name in a different letter case.
 *
 * Id, port and letter case are random, and the socket accepts packets only from its server, so an attacker who cannot read our traffic cannot forge a
 * response (RFC 5452). If a server does not support EDNS, the query is repeated without it (RFC 6891 §6.2.2).
 *
 * `read` interprets a response, of which it sees only records of class IN. Never rejects: a response that cannot be read is `broken`.
 */
export async function ask<T>(server: Server, query: Query, read: (answer: Message) => T): Promise<T | AskFailure> {
  const first = await askOnce(server, query, true)
  const answer = mayNotKnowEdns(first) ? await askOnce(server, query, false) : first
  return typeof answer === 'string' ? answer : orBroken(() => read(answer))
}

function mayNotKnowEdns(answer: Message | AskFailure): boolean {
  if (typeof answer === 'string' || answer.edns !== undefined) return false
  return answer.rcode === Rcode.FORMERR || answer.rcode === Rcode.NOTIMP
}

async function askOnce(server: Server, query: Query, hasEdns: boolean): Promise<Message | AskFailure> {
  const mayNotSend = async (): Promise<boolean> => (await query.turn?.()) === false
  if (await mayNotSend()) return 'timeout'
  const sent = new SentQuery(query, hasEdns)
  const answer = await byUdp(server, sent, query.timeoutMs)
  if (answer !== 'otherwise' && (typeof answer === 'string' || !answer.tc)) return answer
  if (await mayNotSend()) return 'timeout'
  return await byTcp(server, new SentQuery(query, hasEdns), query.timeoutMs)
}

/** 'otherwise': it answers, but over UDP its answer cannot be distinguished from a forged one. */
function byUdp(server: Server, sent: SentQuery, timeoutMs: number): Promise<Message | AskFailure | 'otherwise'> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4')
    const end = (answer: Message | AskFailure | 'otherwise'): void => {
      deadline.met()
      socket.removeAllListeners().on('error', () => undefined)
      socket.close()
      resolve(answer)
    }
    const deadline = new Deadline(timeoutMs, () => end('timeout'))
    // A closed port or an unreachable address. Without a callback, a failure to connect is also emitted as an event.
    socket.on('error', () => end('timeout'))
    socket.on('connect', () => socket.send(sent.wire))
    socket.on('message', (wire) => {
      const answer = sent.read(wire)
      if (answer !== undefined) end(answer)
    })
    socket.connect(server.port, server.host)
  })
}

function byTcp(server: Server, sent: SentQuery, timeoutMs: number): Promise<Message | AskFailure> {
  return new Promise((resolve) => {
    const socket = connect(server.port, server.host)
    const frames = new FrameReader()
    const end = (answer: Message | AskFailure): void => {
      deadline.met()
      socket.destroy()
      resolve(answer)
    }
    const deadline = new Deadline(timeoutMs, () => end('timeout'))
    socket.on('error', () => end('broken')).on('close', () => end('broken'))
    socket.on('connect', () => socket.write(frame(sent.wire)))
    socket.on('data', (chunk: Buffer) => {
      for (const wire of frames.feed(chunk)) {
        const answer = sent.read(wire)
        // A connection cannot be forged blindly, so the letter case does not matter.
        if (answer === 'otherwise') return end(messageOf(wire))
        if (answer !== undefined) return end(answer)
      }
    })
  })
}

const headerBytes = 12
/** Mask for a message's third byte (RFC 1035 §4.1.1): an answer has QR and the opcode of its query. */
const qrAndOpcode = 0xf8
const answerToQuery = 0x80 | (Opcode.QUERY << 3)

/** A sent query, and the check whether a message is a response to it. */
class SentQuery {
  readonly wire: Uint8Array
  /** The question as sent, its letters in random case. */
  readonly #question: Uint8Array

  constructor({ name, type, recursive }: Query, hasEdns: boolean) {
    const question = { id: randomInt(0x10000), rd: recursive, questions: [{ name, type, class: DnsClass.IN }] }
    this.wire = mixCase(
      buildMessage(
        hasEdns
          ? { ...question, edns: { udpSize: largestUdpBytes, version: 0, dnssecOk: false, options: [] } }
          : question,
      ),
    )
    this.#question = this.wire.slice(headerBytes, questionEnd(this.wire))
  }

  /** Undefined: not an answer to this query. */
  read(wire: Uint8Array): Message | AskFailure | 'otherwise' | undefined {
    const isOurs = wire.length >= headerBytes && wire[0] === this.wire[0] && wire[1] === this.wire[1]
    if (!isOurs || ((wire[2] ?? 0) & qrAndOpcode) !== answerToQuery) return undefined
    const question = Buffer.from(wire.subarray(headerBytes, headerBytes + this.#question.length))
    if (question.equals(this.#question)) return messageOf(wire)
    if (wire[4] === 0 && wire[5] === 0) return failureWithoutQuestion(wire)
    return lower(question).equals(lower(this.#question)) ? 'otherwise' : undefined
  }
}

/** A query that a server could not parse is returned without its question. Only this fact is trusted, because only the id proves the source. */
function failureWithoutQuestion(wire: Uint8Array): Message | undefined {
  const message = messageOf(wire)
  if (typeof message === 'string' || message.rcode === Rcode.NOERROR || message.rcode === Rcode.NXDOMAIN)
    return undefined
  return message.answers.length + message.authorities.length === 0 ? message : undefined
}

/** With records of class IN only, as in the question. */
function messageOf(wire: Uint8Array): Message | 'broken' {
  return orBroken(() => {
    const message = parseMessage(wire)
    const { answers, authorities, additionals } = message
    return { ...message, answers: ofIn(answers), authorities: ofIn(authorities), additionals: ofIn(additionals) }
  })
}

function ofIn(records: readonly WireRecord[]): WireRecord[] {
  return records.filter((record) => record.class === DnsClass.IN)
}

/** Whatever bytes a server sends, a failure to read them ends only its own query. */
function orBroken<T>(read: () => T): T | 'broken' {
  try {
    return read()
  } catch {
    return 'broken'
  }
}

/** The question's end: after the name, type and class. */
function questionEnd(wire: Uint8Array): number {
  let at = headerBytes
  while ((wire[at] ?? 0) > 0) at += 1 + (wire[at] ?? 0)
  return at + 5
}

/** Each letter of the question's name in upper or lower case, at random, which gives an attacker more bits to guess. */
function mixCase(wire: Uint8Array): Uint8Array {
  const coins = randomBytes(256)
  const end = questionEnd(wire) - 5
  for (let at = headerBytes; at < end; at++) {
    const byte = wire[at] ?? 0
    if (byte >= 0x61 && byte <= 0x7a && ((coins[at & 0xff] ?? 0) & 1) === 1) wire[at] = byte - 0x20
  }
  return wire
}

/** Length bytes of labels are below 64, so they are not letters. */
function lower(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)))
}

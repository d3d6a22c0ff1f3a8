import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import {
  axfrAnswers,
  buildMessage,
  buildResponse,
  FrameReader,
  frame,
  ixfrAnswers,
  type Message,
  notifyMessage,
  parseMessage,
  Rcode,
  type ResourceRecord,
  RrType,
  responseTo,
  soaFromRdata,
  TsigSession,
  toWireRecord,
  transferMessages,
} from '@zonewright/dns'
import { hmac, unixSeconds } from '../../../../nameserver/src/tsig.ts'
import { originOf } from '../zones/zone-set.ts'
import { transferKey } from './transfer-key.ts'
import type { BookedZone, ZoneBook } from './zone-book.ts'

/** A primary of many similar zones and their catalog: SOA, AXFR, one-step IXFR and NOTIFY, all signed. */
export class BenchPrimary {
  readonly book: ZoneBook
  /** Differences sent so far. */
  differences = 0
  readonly #server = createServer({ noDelay: true }, (socket) => this.#serve(socket))
  readonly #notifier = createSocket('udp4')
  readonly #sockets = new Set<Socket>()

  constructor(book: ZoneBook) {
    this.book = book
  }

  /** The address on which it listens, as host:port. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    this.#notifier.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Notifies the nameserver at a port of a zone's newest serial. The response is ignored. */
  notify(port: number, zone: number): void {
    const wire = buildMessage(notifyMessage(zone & 0xffff, originOf(zone), this.book.soaOf(zone)))
    this.#notifier.send(new TsigSession(transferKey, hmac).sign(wire, unixSeconds()), port, '127.0.0.1')
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    const reader = new FrameReader()
    socket.on('data', (chunk) => {
      socket.cork()
      for (const wire of reader.feed(chunk as Buffer)) this.#respond(socket, wire)
      socket.uncork()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  #respond(socket: Socket, wire: Uint8Array): void {
    const query = parseMessage(wire)
    const session = new TsigSession(transferKey, hmac)
    session.verify(wire, unixSeconds())
    for (const answer of this.#answers(query, wire)) socket.write(frame(session.sign(answer, unixSeconds())))
  }

  #answers(query: Message, wire: Uint8Array): Iterable<Uint8Array> {
    const [question] = query.questions
    const zone = question && this.book.find(question.name)
    if (question === undefined || zone === undefined) {
      return [buildResponse(wire, responseTo(query, { rcode: Rcode.REFUSED }))]
    }
    if (question.type === RrType.SOA) {
      const answers = [toWireRecord(this.book.soaOf(zone))]
      return [buildResponse(wire, responseTo(query, { aa: true, answers }))]
    }
    const held = question.type === RrType.IXFR ? query.authorities[0] : undefined
    const records = held && this.#difference(zone, soaFromRdata(held.data).serial)
    return transferMessages(query, wire, records ?? axfrAnswers(this.book.rrsetsOf(zone)))
  }

  /** All changes since a serial, in one step; the catalog has no history. */
  #difference(zone: BookedZone, since: number): Iterable<ResourceRecord> | undefined {
    const newSoa = this.book.soaOf(zone)
    if (since === this.book.serialOf(zone)) return ixfrAnswers(newSoa, [])
    if (zone === 'catalog') return undefined
    this.differences++
    const oldSoa = this.book.soaOf(zone, since)
    return ixfrAnswers(newSoa, [
      { oldSoa, removed: this.book.changingOf(zone, since), newSoa, added: this.book.changingOf(zone) },
    ])
  }
}

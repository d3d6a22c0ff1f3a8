import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket as Stream } from 'node:net'
import { buildMessage, DnsClass, type DomainName, FrameReader, frame, type RrType } from '@zonewright/dns'
import { hostOf, portOf } from '../peers/peer.ts'

export interface Question {
  readonly name: DomainName
  readonly type: RrType
}

/** This many datagrams are in flight at a time: few enough that none is lost, and enough that the nameserver is never idle. */
const windowSize = 32

/** Sends a nameserver the same queries with the DO bit repeatedly, over UDP and TCP, as fast as it answers. */
export class QueryLoad {
  /** Every distinct answer to each question. */
  readonly answers: readonly Map<string, Uint8Array>[]
  count = 0
  readonly #wires: readonly Uint8Array[]
  readonly #socket: Socket
  readonly #stream: Stream
  readonly #reader = new FrameReader()
  #next = 0
  #isOver = false

  private constructor(server: string, questions: readonly Question[]) {
    const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }
    // A message has the number of its question as its id.
    this.#wires = questions.map(({ name, type }, id) =>
      buildMessage({ id, questions: [{ name, type, class: DnsClass.IN }], edns }),
    )
    this.answers = questions.map(() => new Map())
    this.#socket = createSocket('udp4').on('message', (wire) => {
      this.#note(wire)
      if (!this.#isOver) this.#socket.send(this.#nextWire())
    })
    this.#stream = connect(Number(portOf(server)), hostOf(server)).on('data', (chunk: Buffer) => {
      for (const wire of this.#reader.feed(chunk)) {
        this.#note(wire)
        if (!this.#isOver) this.#stream.write(frame(this.#nextWire()))
      }
    })
  }

  static async begin(server: string, questions: readonly Question[]): Promise<QueryLoad> {
    const load = new QueryLoad(server, questions)
    load.#socket.connect(Number(portOf(server)), hostOf(server))
    await Promise.all([once(load.#socket, 'connect'), once(load.#stream, 'connect')])
    for (let sent = 0; sent < windowSize; sent++) {
      load.#socket.send(load.#nextWire())
      load.#stream.write(frame(load.#nextWire()))
    }
    return load
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket.close()
    this.#stream.destroy()
  }

  #nextWire(): Uint8Array {
    this.#next = (this.#next + 1) % this.#wires.length
    return this.#wires[this.#next] as Uint8Array
  }

  #note(wire: Uint8Array): void {
    this.count++
    const id = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
    const text = Buffer.from(wire.buffer, wire.byteOffset, wire.length).toString('latin1')
    const answers = this.answers[id]
    if (answers !== undefined && !answers.has(text)) answers.set(text, wire.slice())
  }
}

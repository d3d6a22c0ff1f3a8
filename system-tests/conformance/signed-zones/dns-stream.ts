import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import {
  buildMessage,
  DnsClass,
  type DomainName,
  FrameReader,
  frame,
  type Message,
  parseMessage,
  type RrType,
} from '@zonewright/dns'
import { hostOf, portOf } from '../peers/peer.ts'

/** Queries with the DO bit over TCP, one after the other. If the server has closed an idle connection, the next query opens another. */
export class DnsStream {
  readonly #server: string
  readonly #waiting: PromiseWithResolvers<Message>[] = []
  #socket: Socket | undefined
  #id = 0

  private constructor(server: string) {
    this.#server = server
  }

  static async open(server: string): Promise<DnsStream> {
    const stream = new DnsStream(server)
    await stream.#connect()
    return stream
  }

  /** `rd` also asks a resolver for its judgement. */
  async ask(name: DomainName, type: RrType, rd = false): Promise<Message> {
    this.#id = (this.#id + 1) & 0xffff
    const question = { name, type, class: DnsClass.IN }
    const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [] }
    const wire = buildMessage({ id: this.#id, rd, ad: rd, questions: [question], edns })
    // The server may close the connection while the query is on its way.
    return await this.#send(wire).catch(() => this.#send(wire))
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #send(wire: Uint8Array): Promise<Message> {
    const socket = this.#socket ?? (await this.#connect())
    const answered = Promise.withResolvers<Message>()
    this.#waiting.push(answered)
    socket.write(frame(wire))
    return await answered.promise
  }

  async #connect(): Promise<Socket> {
    const socket = connect(Number(portOf(this.#server)), hostOf(this.#server))
    await once(socket, 'connect')
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      for (const wire of reader.feed(chunk)) this.#waiting.shift()?.resolve(parseMessage(wire))
    })
    // The `close` event reports the end of the connection.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#socket = undefined
      for (const each of this.#waiting.splice(0)) each.reject(new Error(`${this.#server} closed the connection`))
    })
    this.#socket = socket
    return socket
  }
}

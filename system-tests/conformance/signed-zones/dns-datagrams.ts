import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { buildMessage, DnsClass, type DomainName, type Message, parseMessage, type RrType } from '@zonewright/dns'
import { portOf } from '../peers/peer.ts'

const timeoutMs = 5_000

/** Queries with the DO bit over UDP, one after the other. */
export class DnsDatagrams {
  readonly #socket: Socket = createSocket('udp4')
  readonly #port: number
  #id = 0

  constructor(server: string) {
    this.#port = Number(portOf(server))
  }

  async ask(name: DomainName, type: RrType): Promise<{ message: Message; bytes: number }> {
    this.#id = (this.#id + 1) & 0xffff
    const edns = { udpSize: 4096, version: 0, dnssecOk: true, options: [] }
    const question = { name, type, class: DnsClass.IN }
    const answered = once(this.#socket, 'message', { signal: AbortSignal.timeout(timeoutMs) })
    this.#socket.send(buildMessage({ id: this.#id, questions: [question], edns }), this.#port, '127.0.0.1')
    const [wire]: [Uint8Array] = (await answered) as [Uint8Array]
    return { message: parseMessage(wire), bytes: wire.length }
  }

  close(): void {
    this.#socket.close()
  }
}

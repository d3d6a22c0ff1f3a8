import { createSocket, type Socket } from 'node:dgram'
import { buildMessage, DnsClass, type DomainName, parseMessage, parseName, RrType, rdataToText } from '@zonewright/dns'

const askEveryMs = 1
const giveUpMs = 30_000

/** A name that should get an address on every nameserver. */
interface Awaited {
  readonly query: Uint8Array
  readonly address: string
  /** The nameservers that do not have it yet. */
  readonly missing: Set<Socket>
  readonly beganMs: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Queries nameservers for many names at once, each of them every millisecond until it has the expected address. */
export class SpreadWatch {
  readonly #sockets: Socket[]
  readonly #awaited = new Map<DomainName, Awaited>()
  readonly #timer: NodeJS.Timeout

  private constructor(sockets: Socket[]) {
    this.#sockets = sockets
    for (const socket of sockets) socket.on('message', (wire) => this.#hear(socket, wire))
    this.#timer = setInterval(() => this.#ask(), askEveryMs)
  }

  /** Of nameservers at host:port. */
  static async open(addresses: readonly string[]): Promise<SpreadWatch> {
    const connected = addresses.map((address) => {
      const [host = '', port = ''] = address.split(':')
      const socket = createSocket('udp4')
      return new Promise<Socket>((resolve) => socket.connect(Number(port), host, () => resolve(socket)))
    })
    return new SpreadWatch(await Promise.all(connected))
  }

  /** Resolves when every nameserver has answered with the address. */
  until(nameText: string, address: string): Promise<void> {
    const name = parseName(`${nameText}.`)
    const query = buildMessage({ id: 1, questions: [{ name, type: RrType.A, class: DnsClass.IN }] })
    return new Promise((resolve, reject) => {
      const missing = new Set(this.#sockets)
      this.#awaited.set(name, { query, address, missing, beganMs: performance.now(), resolve, reject })
    })
  }

  close(): void {
    clearInterval(this.#timer)
    for (const socket of this.#sockets) socket.close()
  }

  #ask(): void {
    const nowMs = performance.now()
    for (const [name, { query, address, missing, beganMs, reject }] of this.#awaited) {
      for (const socket of missing) socket.send(query)
      if (nowMs - beganMs < giveUpMs) continue
      this.#awaited.delete(name)
      reject(new Error(`${name} did not become ${address} within ${giveUpMs / 1000} s`))
    }
  }

  #hear(socket: Socket, wire: Uint8Array): void {
    const { questions, answers } = parseMessage(wire)
    const name = questions[0]?.name
    const awaited = name === undefined ? undefined : this.#awaited.get(name)
    if (name === undefined || awaited === undefined) return
    if (!answers.some(({ type, data }) => rdataToText(type, data) === awaited.address)) return
    awaited.missing.delete(socket)
    if (awaited.missing.size > 0) return
    this.#awaited.delete(name)
    awaited.resolve()
  }
}

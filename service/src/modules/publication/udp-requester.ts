import { randomInt } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Endpoint, endpointToText } from '#modules/primary/index.ts'
import type { Logger } from '#platform/log.ts'
import { Deadline } from '#platform/work/deadline.ts'

type Hear = (answer: Uint8Array | undefined) => void

/**
 * Sends queries by UDP from one socket and matches the answers by id and address. Ids are random, and so is the port: an attacker who cannot read our
 * traffic cannot forge a response.
 */
export class UdpRequester {
  readonly #log: Logger
  readonly #from: string | undefined
  readonly #sockets = new Map<boolean, Socket>()
  readonly #open = new Map<string, Hear>()
  #isClosed = false

  /** `from`: the source address of queries. If it is left out or is the wildcard address, the system chooses one. */
  constructor(log: Logger, from?: string) {
    this.#log = log
    this.#from = from
  }

  /** The response, or undefined if none arrived in time. `make` writes the query with the given id. */
  ask(to: Endpoint, timeoutMs: number, make: (id: number) => Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const place = endpointToText(to)
      let id = randomInt(0x10000)
      while (this.#open.has(`${id} ${place}`)) id = randomInt(0x10000)
      const key = `${id} ${place}`
      const hear: Hear = (answer) => {
        deadline.met()
        this.#open.delete(key)
        resolve(answer)
      }
      const deadline = new Deadline(timeoutMs, () => hear(undefined))
      this.#open.set(key, hear)
      // A datagram that could not be sent counts as lost.
      this.#socketFor(to).send(make(id), to.port, to.host, () => undefined)
    })
  }

  /** Closes the socket. Open queries get no response. */
  close(): void {
    this.#isClosed = true
    for (const hear of [...this.#open.values()]) hear(undefined)
    for (const socket of this.#sockets.values()) socket.close()
  }

  #socketFor({ host }: Endpoint): Socket {
    const isV6 = isIPv6(host)
    const known = this.#sockets.get(isV6)
    if (known !== undefined) return known
    const socket = createSocket(isV6 ? 'udp6' : 'udp4')
    socket.on('message', (wire, from) => this.#hear(wire, from))
    socket.on('error', (error) => this.#log.warn({ err: error }, 'the socket for queries to nameservers failed'))
    if (this.#from !== undefined && isIPv6(this.#from) === isV6) socket.bind({ address: this.#from })
    this.#sockets.set(isV6, socket)
    return socket
  }

  #hear(wire: Uint8Array, from: RemoteInfo): void {
    const id = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
    const isAnswer = wire.length >= 12 && ((wire[2] ?? 0) & 0x80) !== 0
    if (isAnswer) this.#open.get(`${id} ${endpointToText({ host: from.address, port: from.port })}`)?.(wire)
  }
}

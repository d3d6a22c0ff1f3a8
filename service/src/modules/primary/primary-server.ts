import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { FrameReader, frame } from '@zonewright/dns'
import { answerQuery } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import { type AnswerParts, RequesterGone } from './signed-query.ts'

const maxConnections = 500
/** A connection must send a query with our key within this time. After that, it may be idle for a long time, as those of secondaries are. */
const strangerMs = 10_000
const idleMs = 900_000
/** How long a secondary may leave answers unread. */
const unreadMs = 60_000
/** Queries of one connection that are processed at the same time; further ones wait in its buffers. */
const maxQueries = 1_000

/** The hidden primary's sockets, TCP and UDP on the same port. */
export interface PrimaryServer {
  readonly address: Endpoint
  /** Stops the server: answers in progress have `graceMs` to finish. */
  close(graceMs: number): Promise<void>
}

/** Listens. Rejects with the socket's error if the address is in use. Port 0 selects any port that is free for both. */
export async function openPrimaryServer(listen: Endpoint, parts: AnswerParts): Promise<PrimaryServer> {
  const connections = new Set<Connection>()
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const connection = new Connection(socket, parts)
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  })
  server.maxConnections = maxConnections
  const { port, udp } = await bindBoth(server, listen)
  udp.on('message', (wire, from) => {
    const send = async (answer: Uint8Array): Promise<void> => udp.send(answer, from.port, from.address, () => undefined)
    answerQuery(parts, wire, 'udp', { send }).catch((error: unknown) =>
      parts.log.warn({ err: error }, 'no answer by UDP'),
    )
  })
  udp.on('error', (error) => parts.log.warn({ err: error }, 'the UDP socket of the primary'))
  server.on('error', (error) => parts.log.warn({ err: error }, 'the TCP socket of the primary'))
  return {
    address: { host: listen.host, port },
    close: async (graceMs) => {
      const closed = once(server, 'close')
      server.close()
      udp.close()
      for (const connection of connections) connection.end()
      const grace = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, graceMs)
      await closed
      clearTimeout(grace)
    },
  }
}

async function bindBoth(server: Server, { host, port }: Endpoint): Promise<{ port: number; udp: UdpSocket }> {
  for (let attempts = 0; ; attempts++) {
    server.listen({ host, port })
    await once(server, 'listening')
    const bound = server.address()
    if (bound === null || typeof bound === 'string') throw new Error('the primary listens on no port')
    const udp = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    try {
      udp.bind(bound.port, host)
      await once(udp, 'listening')
      return { port: bound.port, udp }
    } catch (error) {
      server.close()
      // With port 0, another program may use this port for UDP.
      if (port !== 0 || attempts > 20) throw error
      await once(server, 'close')
    }
  }
}

/** One TCP connection: each query is answered when its answer is ready, several at once (RFC 7766 §6.2.1.1). */
class Connection {
  readonly #socket: Socket
  readonly #parts: AnswerParts
  readonly #reader = new FrameReader()
  #queries = 0
  /** Ends it; until our key was shown. */
  #strangerEnd: NodeJS.Timeout | undefined
  #isEnding = false
  #drained: Promise<void> | undefined

  constructor(socket: Socket, parts: AnswerParts) {
    this.#socket = socket
    this.#parts = parts
    this.#strangerEnd = setTimeout(() => socket.destroy(), strangerMs)
    socket.on('close', () => clearTimeout(this.#strangerEnd))
    socket.on('timeout', () => this.#idle())
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const wire of this.#reader.feed(chunk)) void this.#answer(wire)
    })
  }

  end(): void {
    this.#isEnding = true
    if (this.#queries === 0) this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #known(): void {
    if (this.#strangerEnd === undefined) return
    clearTimeout(this.#strangerEnd)
    this.#strangerEnd = undefined
    this.#socket.setTimeout(idleMs)
  }

  #idle(): void {
    // While an answer is being prepared, the peer is not idle. Unread answers have a separate limit.
    if (this.#queries === 0) this.#socket.destroy()
  }

  async #answer(wire: Uint8Array): Promise<void> {
    this.#queries++
    if (this.#queries >= maxQueries) this.#socket.pause()
    try {
      await answerQuery(this.#parts, wire, 'tcp', { send: (answer) => this.#send(answer), known: () => this.#known() })
    } catch (error) {
      if (!(error instanceof RequesterGone)) this.#parts.log.warn({ err: error }, 'no answer by TCP')
      this.#socket.destroy()
    }
    this.#queries--
    if (this.#socket.isPaused()) this.#socket.resume()
    if (this.#isEnding && this.#queries === 0) this.#socket.end()
  }

  async #send(answer: Uint8Array): Promise<void> {
    if (this.#socket.destroyed) throw new RequesterGone('the secondary has gone')
    if (this.#socket.write(frame(answer))) return
    this.#drained ??= this.#drain()
    await this.#drained
  }

  /** Resolves when the peer has read its pending answers; the connection of a peer that does not read is closed. */
  #drain(): Promise<void> {
    return new Promise((resolve) => {
      const unread = setTimeout(() => this.#socket.destroy(), unreadMs)
      const done = (): void => {
        clearTimeout(unread)
        this.#socket.off('drain', done).off('close', done)
        this.#drained = undefined
        resolve()
      }
      this.#socket.on('drain', done).on('close', done)
    })
  }
}

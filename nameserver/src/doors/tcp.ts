import { once } from 'node:events'
import { type AddressInfo, createServer, isIP, type Socket } from 'node:net'
import { FrameReader, frame } from '@zonewright/dns'
import type { Answer } from '../answer.ts'
import type { Door, OpenDoor } from './door.ts'

export interface TcpLimits {
  /** Connections at once; one more closes the one that was silent for longest. */
  readonly connections: number
  /** A connection that completes no query for so long is closed (RFC 7766 §6.2.3). */
  readonly idleMs: number
  /** Answers a client leaves unread before its next queries have to wait. */
  readonly unreadBytes: number
}

export const usualTcpLimits: TcpLimits = { connections: 1000, idleMs: 10_000, unreadBytes: 256 * 1024 }

/** DNS over TCP with pipelining (RFC 7766). */
export function tcpDoor(limits: TcpLimits): OpenDoor {
  return async (endpoint, answer, log) => {
    const connections = new Connections(limits, answer)
    const server = createServer({ noDelay: true }, (socket) => connections.add(socket))
    server.listen({ host: endpoint.host, port: endpoint.port, ipv6Only: isIP(endpoint.host) === 6, backlog: 1024 })
    await once(server, 'listening')
    server.on('error', (error) => log.error('tcp listener', { listen: endpoint.host, reason: error.message }))
    const { port } = server.address() as AddressInfo
    const door: Door = {
      endpoint: { host: endpoint.host, port },
      close: async () => {
        const closed = once(server, 'close')
        server.close()
        connections.closeAll()
        await closed
      },
    }
    return door
  }
}

/** The open connections, longest silent first. */
class Connections {
  readonly #limits: TcpLimits
  readonly #answer: Answer
  readonly #open = new Set<Socket>()

  constructor(limits: TcpLimits, answer: Answer) {
    this.#limits = limits
    this.#answer = answer
  }

  add(socket: Socket): void {
    if (this.#open.size >= this.#limits.connections) this.#oldest()?.destroy()
    this.#open.add(socket)
    const reader = new FrameReader()
    // Counted from the last whole query: bytes that trickle in keep nothing open.
    let idle = this.#expectQuery(socket)
    socket.on('data', (chunk) => {
      const queries = reader.feed(chunk as Buffer)
      if (queries.length === 0) return
      clearTimeout(idle)
      idle = this.#expectQuery(socket)
      this.#touch(socket)
      this.#respond(socket, queries)
    })
    socket.on('drain', () => socket.resume())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(idle)
      this.#open.delete(socket)
    })
  }

  closeAll(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #respond(socket: Socket, queries: Uint8Array[]): void {
    socket.cork()
    for (const query of queries) {
      const response = this.#answer(query, 'tcp')
      if (response) socket.write(frame(response))
    }
    socket.uncork()
    if (socket.writableLength > this.#limits.unreadBytes) socket.pause()
  }

  #expectQuery(socket: Socket): NodeJS.Timeout {
    return setTimeout(() => socket.destroy(), this.#limits.idleMs).unref()
  }

  #touch(socket: Socket): void {
    this.#open.delete(socket)
    this.#open.add(socket)
  }

  #oldest(): Socket | undefined {
    for (const socket of this.#open) return socket
    return undefined
  }
}

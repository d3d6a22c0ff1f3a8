import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { FrameReader, frame } from '@zonewright/dns'
import type { Logger } from '#platform/log.ts'
import { answerQuery, type Requester } from './answer.ts'
import { ConnectionCrowd } from './connection-crowd.ts'
import type { Endpoint } from './endpoint.ts'
import { type AnswerParts, RequesterGone, type Transport } from './signed-query.ts'

/** How long a client may leave answers unread. */
const unreadMs = 60_000

/** A DNS server's sockets. */
export interface DnsServer {
  /** UDP and TCP. */
  readonly address: Endpoint
  /** TLS, if the server has it. */
  readonly tlsAddress: Endpoint | undefined
  /** Uses another certificate for new connections. */
  renewCertificate(certificate: Certificate): void
  /** Stops the server: answers in progress have `graceMs` to finish. */
  close(graceMs: number): Promise<void>
}

/** A certificate chain and its private key, in PEM. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

export interface DnsServerOptions {
  readonly listen: Endpoint
  /** DNS over TLS 1.3 (RFC 7858). Its connections are answered like those of TCP. */
  readonly tls?: { readonly listen: Endpoint; readonly certificate: Certificate } | undefined
  /** Answers one query, with any number of messages. Throws what `send` throws. `from`: the address of the client. */
  readonly answer: (wire: Uint8Array, transport: Transport, requester: Requester, from: string) => Promise<void>
  readonly limits: ConnectionLimits
  readonly log: Logger
}

/** Limits of TCP and TLS connections. */
export interface ConnectionLimits {
  /** Maximum number of connections. */
  readonly connections: number
  /** Queries of one connection that are processed at the same time; further ones wait in its buffers. */
  readonly queries: number
  /** When idle connections are closed. */
  readonly silence: StrangersEnd | SilentOnesEnd
}

/** A connection must send a query with our key within this time. After that, it may be idle for a long time. */
interface StrangersEnd {
  readonly strangerMs: number
  readonly idleMs: number
}

/** A connection without an answer for this time is closed, and silent ones make room for new ones (`ConnectionCrowd`). */
interface SilentOnesEnd {
  readonly silentMs: number
  /** The same while three quarters of all connections are in use. */
  readonly crowdedMs: number
  /** Maximum number of connections from one network. */
  readonly perClient: number
}

/** The connections of secondaries stay open. */
const primaryLimits: ConnectionLimits = {
  connections: 500,
  queries: 1_000,
  silence: { strangerMs: 10_000, idleMs: 900_000 },
}

/** The hidden primary's server. */
export function openPrimaryServer(listen: Endpoint, parts: AnswerParts): Promise<DnsServer> {
  return openDnsServer({
    listen,
    answer: (wire, transport, requester) => answerQuery(parts, wire, transport, requester),
    limits: primaryLimits,
    log: parts.log,
  })
}

/**
 * Listens with UDP and TCP on the same port, and with TLS on another one. Rejects with the socket's error if an address is in use. Port 0
 * selects any port that is free for both.
 */
export async function openDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const { listen, tls, limits, log } = options
  const connections = new Set<Connection>()
  const crowd = 'silentMs' in limits.silence ? new ConnectionCrowd(limits.connections, limits.silence) : undefined
  const serve = (socket: Socket): void => {
    const connection = new Connection(socket, options, () => crowd?.touch(connection))
    connections.add(connection)
    crowd?.add(connection)
    socket.on('close', () => {
      connections.delete(connection)
      crowd?.remove(connection)
    })
  }
  const server = createServer({ noDelay: true, keepAlive: true }, serve)
  const { port, udp } = await bindBoth(server, listen)
  const secure =
    tls &&
    (await listenWithTls(tls, serve, limits.connections).catch((error: unknown) => {
      server.close()
      udp.close()
      throw error
    }))
  for (const each of [server, ...(secure ? [secure.server] : [])]) {
    // A crowd makes room itself.
    if (crowd === undefined) each.maxConnections = limits.connections
    each.on('error', (error) => log.warn({ err: error }, 'a TCP socket of the DNS server'))
  }
  udp.on('message', (wire, from) => {
    // Nothing can be sent to port 0. Only a forged datagram comes from there.
    if (from.port === 0) return
    const send = async (answer: Uint8Array): Promise<void> => udp.send(answer, from.port, from.address, () => undefined)
    options
      .answer(wire, 'udp', { send }, from.address)
      .catch((error: unknown) => log.warn({ err: error }, 'no answer by UDP'))
  })
  udp.on('error', (error) => log.warn({ err: error }, 'the UDP socket of the DNS server'))
  return {
    address: { host: listen.host, port },
    tlsAddress: secure?.address,
    renewCertificate: (certificate) => secure?.server.setSecureContext(certificate),
    close: async (graceMs) => {
      const closed = [server, ...(secure ? [secure.server] : [])].map((each) => once(each, 'close'))
      server.close()
      secure?.close()
      udp.close()
      for (const connection of connections) connection.end()
      const grace = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, graceMs)
      await Promise.all(closed)
      clearTimeout(grace)
    },
  }
}

/** How long a client may take for the handshake. */
const handshakeMs = 10_000

async function listenWithTls(
  { listen, certificate }: NonNullable<DnsServerOptions['tls']>,
  serve: (socket: Socket) => void,
  mostHandshakes: number,
): Promise<{ server: TlsServer; address: Endpoint; close: () => void }> {
  const settings = { ALPNProtocols: ['dot'], handshakeTimeout: handshakeMs, noDelay: true, keepAlive: true } as const
  const server = createTlsServer({ ...settings, ...certificate, minVersion: 'TLSv1.3' }, serve)
  // Those whose handshake fails; a scanner must not fill the log.
  server.on('tlsClientError', () => undefined)
  /** Connections whose handshake is not complete, by their peer: `secureConnection` has another object for the same connection. */
  const shaking = new Map<string, Socket>()
  const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket: Socket) => {
    const [oldest] = shaking.values()
    if (shaking.size >= mostHandshakes) oldest?.destroy()
    const peer = peerOf(socket)
    shaking.set(peer, socket)
    socket.on('close', () => shaking.delete(peer))
  })
  server.on('secureConnection', (socket) => shaking.delete(peerOf(socket)))
  server.listen(listen)
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : listen.port
  return {
    server,
    address: { host: listen.host, port },
    close: () => {
      server.close()
      for (const socket of shaking.values()) socket.destroy()
    },
  }
}

async function bindBoth(server: Server, { host, port }: Endpoint): Promise<{ port: number; udp: UdpSocket }> {
  for (let attempts = 0; ; attempts++) {
    server.listen({ host, port })
    await once(server, 'listening')
    const bound = server.address()
    if (bound === null || typeof bound === 'string') throw new Error('the DNS server listens on no port')
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

/** One TCP or TLS connection: each query is answered when its answer is ready, several at once (RFC 7766 §6.2.1.1). */
class Connection {
  /** The address of the client. */
  readonly from: string
  readonly #socket: Socket
  readonly #options: DnsServerOptions
  readonly #answered: () => void
  readonly #reader = new FrameReader()
  #queries = 0
  /** Closes the connection; cleared once our key was shown. */
  #strangerEnd: NodeJS.Timeout | undefined
  #isEnding = false
  #drained: Promise<void> | undefined

  constructor(socket: Socket, options: DnsServerOptions, answered: () => void) {
    this.from = socket.remoteAddress ?? ''
    this.#socket = socket
    this.#options = options
    this.#answered = answered
    const { silence } = options.limits
    if ('strangerMs' in silence) this.#strangerEnd = setTimeout(() => socket.destroy(), silence.strangerMs)
    socket.on('close', () => clearTimeout(this.#strangerEnd))
    socket.on('timeout', () => this.#idle())
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const wire of this.#reader.feed(chunk)) void this.#answer(wire)
    })
  }

  /** Whether answers are being prepared. */
  get isBusy(): boolean {
    return this.#queries > 0
  }

  end(): void {
    this.#isEnding = true
    if (this.#queries === 0) this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #known(): void {
    const { silence } = this.#options.limits
    if (this.#strangerEnd === undefined || !('idleMs' in silence)) return
    clearTimeout(this.#strangerEnd)
    this.#strangerEnd = undefined
    this.#socket.setTimeout(silence.idleMs)
  }

  #idle(): void {
    // While an answer is being prepared, the peer is not idle. Unread answers have a separate limit.
    if (this.#queries === 0) this.#socket.destroy()
  }

  async #answer(wire: Uint8Array): Promise<void> {
    const { answer, limits, log } = this.#options
    this.#queries++
    if (this.#queries >= limits.queries) this.#socket.pause()
    try {
      await answer(wire, 'tcp', { send: (one) => this.#send(one), known: () => this.#known() }, this.from)
    } catch (error) {
      if (!(error instanceof RequesterGone)) log.warn({ err: error }, 'no answer by TCP')
      this.#socket.destroy()
    }
    this.#queries--
    if (this.#socket.isPaused()) this.#socket.resume()
    if (this.#isEnding && this.#queries === 0) this.#socket.end()
  }

  async #send(answer: Uint8Array): Promise<void> {
    if (this.#socket.destroyed) throw new RequesterGone('the client has gone')
    const isRead = this.#socket.write(frame(answer))
    this.#answered()
    if (isRead) return
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

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { networkOf } from '../network-of.ts'
import { refuseOnSocket } from './unreadable.ts'

/** Time limits of a connection, in milliseconds. Tests set shorter ones. */
export interface ConnectionTimes {
  /** To receive the headers, from the start of the connection or of the request. Then 408. */
  readonly headersMs: number
  /** To receive a request with its body: 16 MiB at 500 kbit/s. Then 408. */
  readonly requestMs: number
  /** Idle time between two requests. Longer than nginx keeps a connection (60 s), so that nginx is always the side that closes. */
  readonly idleMs: number
  /** For a client to read a response. Then the connection is closed. */
  readonly responseMs: number
  /** How often these limits are checked. */
  readonly checkEveryMs: number
}

export const connectionTimes: ConnectionTimes = {
  headersMs: 20_000,
  requestMs: 300_000,
  idleMs: 72_000,
  responseMs: 300_000,
  checkEveryMs: 5_000,
}

export interface ConnectionLimits {
  /** Open connections per address (IPv6: per /64). */
  readonly mostPerAddress: number
  /** Addresses and networks (CIDR) that are exempt from this limit, because many clients share each of them. */
  readonly trustedProxies: readonly string[]
  readonly times: ConnectionTimes
}

/**
 * Limits the connections of each address, and closes those whose client does not read its response.
 *
 * Node itself enforces the time limits of requests (`headersTimeout`, `requestTimeout`, `keepAliveTimeout`).
 */
export function limitConnections(server: Server, { mostPerAddress, trustedProxies, times }: ConnectionLimits): void {
  const isTrusted = matcherOf(trustedProxies)
  const openOf = new Map<string, number>()
  /** Since when each connection has had bytes that its client does not read (`performance.now()`). */
  const waiting = new Map<Socket, number | undefined>()
  // The listeners that parse HTTP: a refused connection must not reach them.
  const accept = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    if (!count(socket))
      return refuseOnSocket(
        socket.on('error', () => undefined),
        'too_many_connections',
      )
    waiting.set(socket, undefined)
    socket.once('close', () => waiting.delete(socket))
    for (const listener of accept) listener.call(server, socket)
  })
  /** Counts a connection until it closes, unless its address has reached the limit. */
  const count = (socket: Socket): boolean => {
    const address = socket.remoteAddress
    // Without an address, the connection has already ended.
    if (address === undefined || isTrusted(address)) return true
    const network = networkOf(address)
    const open = openOf.get(network) ?? 0
    if (open >= mostPerAddress) return false
    openOf.set(network, open + 1)
    socket.once('close', () => {
      const left = (openOf.get(network) ?? 1) - 1
      if (left === 0) openOf.delete(network)
      else openOf.set(network, left)
    })
    return true
  }
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const [socket, since] of waiting)
      if (socket.writableLength === 0) waiting.set(socket, undefined)
      else if (since === undefined) waiting.set(socket, now)
      else if (now - since > times.responseMs) socket.destroy()
  }, times.checkEveryMs).unref()
  server.once('close', () => clearInterval(sweep))
}

/** Returns a test for whether an address is one of these, or in one of these networks. */
function matcherOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  // An IPv4 client of a socket that listens on `::` (RFC 4291 §2.5.5.2).
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

/** Requests on one connection that may wait for earlier responses. */
export const maxPipelined = 100

/** A request and its response, as Node passes them on. */
type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** The requests of one connection. */
interface Line {
  isServing: boolean
  readonly waiting: (() => void)[]
}

/**
 * Serves the requests of each connection one after another. By default Node starts all that have arrived: one connection that pipelines 20,000
 * requests (RFC 9112 §9.3.2) would hold all of them in memory, and bypass the pace of its limit (`Rates`).
 *
 * Closes a connection on which more than `maxPipelined` requests wait.
 */
export function serveInOrder(serve: Serve): Serve {
  const lines = new WeakMap<Socket, Line>()
  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line = { isServing: false, waiting: [] }
    lines.set(socket, line)
    return line
  }
  return (request, response) => {
    const { socket } = request
    const line = lineOf(socket)
    const start = (): void => {
      line.isServing = true
      response.once('close', () => {
        line.isServing = false
        if (socket.destroyed) line.waiting.length = 0
        else line.waiting.shift()?.()
      })
      serve(request, response)
    }
    // Node continues to parse the data that it has received on a closed connection.
    if (socket.destroyed) return
    if (!line.isServing) start()
    else if (line.waiting.length < maxPipelined) line.waiting.push(start)
    else socket.destroy()
  }
}

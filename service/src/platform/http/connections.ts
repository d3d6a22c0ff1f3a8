import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { networkOf } from '../network-of.ts'
import { refuseOnSocket } from './unreadable.ts'

/** How long a connection may take for what it does, in milliseconds. Tests set shorter times. */
export interface ConnectionTimes {
  /** The headers of a request, from the connection's or the request's first moment. Then 408. */
  readonly headersMs: number
  /** A request with its body: 16 MiB at 500 kbit/s. Then 408. */
  readonly requestMs: number
  /** Between two requests of a connection; more than nginx keeps its own (60 s), so that it is always nginx that closes. */
  readonly idleMs: number
  /** A response that its client takes too slowly: as long as a request. Then the connection ends. */
  readonly responseMs: number
  /** How often all of this is checked. */
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
  /** Open connections of one address; of IPv6, of one /64. */
  readonly mostPerAddress: number
  /** Addresses and networks (CIDR) that this limit does not apply to: many clients stand behind each. */
  readonly trustedProxies: readonly string[]
  readonly times: ConnectionTimes
}

/**
 * Limits the connections of each address, and ends those whose client does not take its response.
 *
 * Node itself enforces the times of requests (`headersTimeout`, `requestTimeout`, `keepAliveTimeout`).
 */
export function limitConnections(server: Server, { mostPerAddress, trustedProxies, times }: ConnectionLimits): void {
  const isTrusted = matcherOf(trustedProxies)
  const openOf = new Map<string, number>()
  /** Since when each connection has had bytes to send that its client does not take, by `performance.now()`. */
  const waiting = new Map<Socket, number | undefined>()
  // What makes HTTP of a connection: one that is refused must not become a request.
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
  /** Counts a connection until it closes, unless its address has as many as it may. */
  const count = (socket: Socket): boolean => {
    const address = socket.remoteAddress
    // Already gone, when there is none.
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

/** Tells whether an address is one of these, or in one of these networks. */
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

/** Requests that may wait on one connection for the responses to those before them. */
export const maxPipelined = 100

/** A request and its response, as Node hands them over. */
type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** The requests of one connection. */
interface Line {
  isServing: boolean
  readonly waiting: (() => void)[]
}

/**
 * Serves the requests of each connection one after another. Node starts all that have arrived: a single connection that pipelined 20,000
 * requests (RFC 9112 §9.3.2) would hold all of them in memory, and none of them would wait for its turn (`Rates`).
 *
 * A connection on which more than `maxPipelined` requests wait is ended.
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
    // What is left of a connection that was ended: Node parses all that it has received.
    if (socket.destroyed) return
    if (!line.isServing) start()
    else if (line.waiting.length < maxPipelined) line.waiting.push(start)
    else socket.destroy()
  }
}

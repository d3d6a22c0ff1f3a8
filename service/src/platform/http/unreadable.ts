import { type OutgoingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import { problemOf } from './problem.ts'
import { privateHeaders } from './response-headers.ts'

/** How node names what it could not read on a connection. */
interface ConnectionError extends Error {
  readonly code?: string
}

interface SocketFault {
  readonly status: number
  readonly refusal: Refusal
}

const malformed = (message: string): Refusal => new Refusal('malformed_request', message)

const faults = {
  header_overflow: {
    status: 431,
    refusal: malformed(
      'The request line and headers are larger than 16 KiB. Send a shorter address and fewer headers.',
    ),
  },
  timeout: {
    status: 408,
    refusal: malformed(
      'The request did not arrive in time. Its headers must arrive within 20 seconds, all of it within 5 minutes. Send it again.',
    ),
  },
  unreadable: { status: 400, refusal: malformed('This is not a valid HTTP request. Send HTTP/1.1.') },
  connect: {
    status: 405,
    refusal: new Refusal('method_not_allowed', 'CONNECT is not supported: this server is not a proxy.', {
      headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
    }),
  },
  too_many_connections: {
    status: 429,
    refusal: new Refusal(
      'rate_limited',
      'Your address has too many open connections. Close some of them, or send requests one after the other on one.',
      { headers: { 'retry-after': '1' } },
    ),
  },
} as const satisfies Record<string, SocketFault>

const namedByNode: Readonly<Record<string, keyof typeof faults>> = {
  HPE_HEADER_OVERFLOW: 'header_overflow',
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
}

/** Answers connections whose bytes could not be parsed as a request. */
export function answerUnreadable({ code = '' }: ConnectionError, socket: Socket): void {
  refuseOnSocket(socket, namedByNode[code] ?? 'unreadable')
}

/** Connections that end with a refusal. */
const refused = new WeakSet<Socket>()

/**
 * Answers on a connection without a request, with the error envelope, and closes the connection: it is unknown where the next request on it
 * would begin.
 */
export function refuseOnSocket(socket: Socket, fault: keyof typeof faults): void {
  // Node reports each further piece of unreadable data as another error until the connection has closed.
  if (refused.has(socket)) return
  refused.add(socket)
  if (socket.writable && !isAmidResponse(socket)) {
    const { status, refusal } = faults[fault]
    const id = newId('req')
    const { headers, body } = problemOf(refusal, id)
    const text = JSON.stringify(body)
    const all = {
      ...privateHeaders(id),
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'))
  }
  socket.destroySoon()
}

/** Whether a response to an earlier request of the connection is partly sent: what followed would be read as part of it. */
function isAmidResponse(socket: Socket): boolean {
  // Node's own handler of these errors also checks this.
  const { _httpMessage: message } = socket as { _httpMessage?: OutgoingMessage }
  return message?.headersSent === true && !message.writableFinished
}

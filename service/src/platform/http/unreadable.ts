import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import { problemOf } from './problem.ts'

/** How node names what it could not read on a connection. */
interface ConnectionError extends Error {
  readonly code?: string
}

const faults: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The request line and headers are larger than 16 KiB. Send a shorter address and fewer headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive in time: 60 seconds for its headers, 5 minutes for all of it. Send it again.',
  },
}
const other = { status: 400, message: 'This is no HTTP request that can be read. Send HTTP/1.1.' }

/**
 * Answers what never became a request, with the envelope that every error has, and ends its connection: nobody knows where the next
 * request on it would begin.
 */
export function answerUnreadable({ code = '' }: ConnectionError, socket: Socket): void {
  const { status, message } = faults[code] ?? other
  if (socket.writable) {
    const body = JSON.stringify(problemOf(new Refusal('malformed_request', message), newId('req')).body)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}

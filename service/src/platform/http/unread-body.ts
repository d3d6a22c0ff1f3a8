import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/**
 * Bytes of a refused body that are read and dropped. Many clients, including nginx, send the whole body before they read the response:
 * if the connection ended earlier, they would lose it. A longer body is cut off, immediately if its length is declared.
 */
export const maxUnreadBytes = 64 * 1024 * 1024

/** Whether part of a request's body has not arrived yet. */
export function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
}

/** Whether a GET or HEAD has a body, which no route reads, and which is short enough not to be cut off. */
export function hasUnneededBody(request: IncomingMessage): boolean {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  return hasUnreadBody(request) && !(Number(headers['content-length']) > maxUnreadBytes)
}

/** Reads the rest of a body and drops it, up to `maxUnreadBytes`. */
export function readAway(request: IncomingMessage): void {
  let unreadBytes = 0
  request.on('data', (chunk: Buffer) => {
    unreadBytes += chunk.length
    if (unreadBytes > maxUnreadBytes) request.destroy()
  })
}

/**
 * A response body that is sent at once, but ends only after the body of the request: Node closes the connection when its last response ends.
 *
 * How long that may take is limited as for every request (`ConnectionTimes`).
 */
export class LastBody extends Readable {
  readonly #request: IncomingMessage
  readonly #text: string
  #isSent = false

  constructor(request: IncomingMessage, text: string) {
    super()
    this.#request = request
    this.#text = text
  }

  /** The text, for hooks that read the response. */
  override toString(): string {
    return this.#text
  }

  override _read(): void {
    if (this.#isSent) return
    this.#isSent = true
    this.push(this.#text)
    if (this.#request.complete || this.#request.destroyed) this.push(null)
    else this.#request.once('close', () => this.push(null))
  }
}

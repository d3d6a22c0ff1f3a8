import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A response as it came on a socket. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name. For repeated headers, the last one. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A TCP connection to a server on this machine, on which a test can send anything. */
export class RawConnection {
  readonly socket: Socket
  #received = Buffer.alloc(0)

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (data: Buffer) => {
      this.#received = Buffer.concat([this.#received, data])
    })
    // A reset counts like any other end. The received data shows what happened.
    socket.on('error', () => undefined)
    // A server that is silent for this long does not answer at all.
    socket.setTimeout(60_000, () => socket.destroy())
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    const connection = new RawConnection(socket)
    await once(socket, 'connect')
    return connection
  }

  /** Sends bytes, and returns the next response. Undefined if the connection ended without a complete one. */
  async exchange(request: string | Buffer = '', method = 'GET'): Promise<RawResponse | undefined> {
    if (request.length > 0 && this.socket.writable) this.socket.write(request)
    for (;;) {
      const response = this.#take(method)
      if (response !== undefined || this.socket.closed) return response
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.socket.off('data', go).off('close', go)
          resolve()
        }
        this.socket.once('data', go).once('close', go)
      })
    }
  }

  async closed(): Promise<void> {
    if (!this.socket.closed) await new Promise((resolve) => this.socket.once('close', resolve))
  }

  close(): void {
    this.socket.destroy()
  }

  #take(method: string): RawResponse | undefined {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [first = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n')
    const status = Number(first.split(' ')[1])
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const rest = this.#received.subarray(end + 4)
    // An interim response (RFC 9110 §15.2) is followed by the one that counts.
    if (status < 200) {
      this.#received = rest
      return this.#take(method)
    }
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
    const body = hasBody ? bodyOf(rest, headers) : { bytes: Buffer.alloc(0), length: 0 }
    if (body === undefined) return undefined
    this.#received = rest.subarray(body.length)
    return { status, headers, body: body.bytes.toString() }
  }
}

/** The body at the beginning of the bytes, and its length as sent. Undefined if it is not complete yet. */
function bodyOf(
  received: Buffer,
  headers: Readonly<Record<string, string>>,
): { bytes: Buffer; length: number } | undefined {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? 0)
    return received.length < length ? undefined : { bytes: received.subarray(0, length), length }
  }
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = received.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(received.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (received.length < next) return undefined
    if (size === 0) return { bytes: Buffer.concat(chunks), length: next }
    chunks.push(received.subarray(line + 2, line + 2 + size))
    at = next
  }
}

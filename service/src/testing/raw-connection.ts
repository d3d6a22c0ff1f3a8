import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A response as it came on a socket. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name; of repeated ones the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A TCP connection to a server on this machine, on which a test sends whatever it likes. */
export class RawConnection {
  readonly socket: Socket
  #received = ''

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text
    })
    // What was received tells what happened; a reset is an end like another.
    socket.on('error', () => undefined)
    // A server that says nothing for so long says nothing at all.
    socket.setTimeout(20_000, () => socket.destroy())
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const connection = new RawConnection(socket)
    await once(socket, 'connect')
    return connection
  }

  /** Sends, and returns the next response; undefined when the connection ended without a whole one. */
  async exchange(request: string | Buffer = '', method = 'GET'): Promise<RawResponse | undefined> {
    if (request.length > 0 && this.socket.writable) this.socket.write(request)
    for (;;) {
      const response = this.#take(method)
      if (response !== undefined || this.socket.closed) return response
      await new Promise<void>((resolve) => {
        const { socket } = this
        const goOn = (): void => {
          socket.off('data', goOn).off('close', goOn)
          resolve()
        }
        socket.on('data', goOn).on('close', goOn)
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
    const [first = '', ...lines] = this.#received.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
    if (this.#received.length < end + 4 + length) return undefined
    const body = this.#received.slice(end + 4, end + 4 + length)
    this.#received = this.#received.slice(end + 4 + length)
    return { status: Number(first.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() }
  }
}

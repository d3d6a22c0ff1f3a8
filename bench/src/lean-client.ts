import { connect, type Socket } from 'node:net'

/** A response; its body as received, in Latin-1. */
interface LeanAnswer {
  readonly status: number
  readonly text: string
}

/** A persistent HTTP/1.1 connection that sends one request at a time. The client does so little that the server is measured. */
export class LeanClient {
  readonly #socket: Socket
  readonly #host: string
  #received = ''
  #answered: ((answer: LeanAnswer) => void) | undefined
  #failed: ((error: Error) => void) | undefined

  /** `localAddress`: the client address that the server sees. */
  constructor(baseUrl: string, { localAddress }: { localAddress?: string } = {}) {
    const { hostname, port, host } = new URL(baseUrl)
    this.#host = host
    this.#socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) })
      .setNoDelay(true)
      .setEncoding('latin1')
    this.#socket.on('data', (chunk: string) => this.#receive(chunk))
    this.#socket.on('error', (error) => this.#failed?.(error))
    this.#socket.on('close', () => this.#failed?.(new Error('the server closed the connection')))
  }

  /** Sends a request with a JSON body; resolves with the status once the whole response is there. */
  async request(method: string, path: string, key: string, body: string): Promise<number> {
    return (await this.ask(method, path, key, body)).status
  }

  /** The same, with the response. */
  ask(method: string, path: string, key: string, body: string): Promise<LeanAnswer> {
    return this.send(method, path, { authorization: `Bearer ${key}` }, body)
  }

  /** The same with other headers instead of a key. */
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body: string): Promise<LeanAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error('the server has closed the connection')
      this.#answered = resolve
      this.#failed = reject
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${lines.join('')}`
      this.#socket.write(
        `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    })
  }

  close(): void {
    this.#failed = undefined
    this.#socket.destroy()
  }

  #receive(chunk: string): void {
    this.#received += chunk
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < headEnd + 4 + length) return
    const answer = { status: Number(this.#received.slice(9, 12)), text: this.#received.slice(headEnd + 4) }
    this.#received = ''
    this.#answered?.(answer)
  }
}

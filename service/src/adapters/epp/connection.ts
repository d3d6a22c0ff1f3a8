import { once } from 'node:events'
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls'
import { FrameReader, frame, type Message, readMessage, writeMessage, xmlReader } from '@zonewright/epp'
import * as libxml from 'libxml2-wasm'
import { Deadline } from '#platform/work/deadline.ts'
import { type EppSettings, sniOf } from './settings.ts'

/** The connection is unusable. `wasWritten`: the command may have reached the server. */
export class ConnectionLost extends Error {
  readonly wasWritten: boolean

  constructor(why: string, wasWritten: boolean) {
    super(why)
    this.wasWritten = wasWritten
  }
}

const readXml = xmlReader(libxml)

interface Waiting {
  readonly resolve: (message: Message) => void
  readonly reject: (error: ConnectionLost) => void
  readonly deadline: Deadline
}

/**
 * A TLS connection to a registry: one document out, one document in (RFC 5734).
 *
 * Any error closes it, because a late response would be read as the response to the next command.
 */
export class EppConnection {
  readonly #socket: TLSSocket
  readonly #frames = new FrameReader()
  #waiting: Waiting | undefined
  #why: string | undefined

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#lose(`The connection broke: ${error.message}`))
    // The registry ends the connection with its last message. Data after it, such as half a response, is ignored.
    socket.on('end', () =>
      this.#lose(
        this.#frames.isAmidFrame
          ? 'The connection ended in the middle of a response.'
          : 'The registry closed the connection.',
      ),
    )
    socket.on('close', () => this.#lose('The connection is closed.'))
  }

  /** Connects, and returns the registry's greeting with the connection. Throws ConnectionLost. */
  static async open(settings: EppSettings): Promise<{ connection: EppConnection; greeting: Message }> {
    const { host, port, ca, cert, key, serverName, connectTimeoutMs } = settings
    const socket = connect({
      host,
      port,
      ca,
      cert,
      key,
      minVersion: 'TLSv1.2',
      servername: sniOf(settings),
      checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
    })
    socket.setNoDelay(true)
    const connection = new EppConnection(socket)
    // The server sends its greeting without a command, after the TLS handshake.
    return { connection, greeting: await connection.#next(connectTimeoutMs, false) }
  }

  get isOpen(): boolean {
    return this.#why === undefined
  }

  /** Sends a message, and returns the response. Throws ConnectionLost; EppFault if the message cannot be sent. */
  async exchange(message: Message, timeoutMs: number): Promise<Message> {
    const document = Buffer.from(writeMessage(message))
    if (this.#why !== undefined) throw new ConnectionLost(this.#why, false)
    const answer = this.#next(timeoutMs, true)
    this.#socket.write(frame(document))
    return await answer
  }

  /** Resolves once the socket is closed: nothing more is sent or received. */
  async close(why = 'We closed the connection.'): Promise<void> {
    this.#lose(why)
    if (!this.#socket.closed) await once(this.#socket, 'close')
  }

  #next(timeoutMs: number, wasWritten: boolean): Promise<Message> {
    return new Promise((resolve, reject) => {
      const deadline = new Deadline(timeoutMs, () => this.#lose(`No response within ${timeoutMs / 1000} s.`))
      this.#waiting = {
        resolve,
        reject: (error) => reject(new ConnectionLost(error.message, wasWritten)),
        deadline,
      }
    })
  }

  #take(chunk: Buffer): void {
    try {
      for (const document of this.#frames.feed(chunk)) {
        const waiting = this.#waiting
        if (waiting === undefined) throw new Error('an unexpected message')
        const message = readMessage(readXml(document))
        this.#waiting = undefined
        waiting.deadline.met()
        waiting.resolve(message)
      }
    } catch (error) {
      this.#lose(`The registry sent a message that cannot be parsed: ${(error as Error).message}`)
    }
  }

  #lose(why: string): void {
    this.#why ??= why
    this.#socket.destroy()
    const waiting = this.#waiting
    if (waiting === undefined) return
    this.#waiting = undefined
    waiting.deadline.met()
    // Only after the socket is closed: until then, the registry may still receive what was written.
    const reject = (): void => waiting.reject(new ConnectionLost(why, true))
    if (this.#socket.closed) reject()
    else this.#socket.once('close', reject)
  }
}

import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpServer } from '#http/server.ts'

/** An answer as it came over a socket. */
export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The length of its head and its body. */
  readonly bytes: number
}

export interface RawCall {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean
}

/** Makes a server listen, and calls it over sockets. A body is sent piece by piece. */
export async function rawCalls(server: HttpServer): Promise<(call: RawCall) => Promise<RawAnswer>> {
  await server.fastify.listen({ host: '127.0.0.1', port: 0 })
  // Like most clients: without keep-alive, a client may lose an answer that arrives before its body is sent.
  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())
  const { port } = server.fastify.server.address() as AddressInfo
  return async ({ method, path, headers = {}, body, chunked = false }) => {
    const length = body === undefined || chunked ? {} : { 'content-length': String(body.length) }
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers, ...length } })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    // A server that refuses a body may close the connection while the body is still being sent.
    sent.on('error', () => undefined)
    void sendPieces(sent, body)
    const [answer] = await answered
    const pieces: Buffer[] = []
    for await (const piece of answer) pieces.push(piece as Buffer)
    // No side would close a connection on which the rest of a refused body is missing, and the server would wait for it when it closes.
    if (!sent.writableFinished) sent.destroy()
    const text = Buffer.concat(pieces)
    const head = answer.rawHeaders.reduce((sum, part) => sum + part.length + 2, 20)
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: text.toString(), bytes: head + text.length }
  }
}

function writable(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      sent.off('drain', go).off('close', go)
      resolve()
    }
    sent.on('drain', go).on('close', go)
  })
}

async function sendPieces(sent: ClientRequest, bytes: Buffer | undefined): Promise<void> {
  const pieceBytes = 256 * 1024
  for (let at = 0; bytes !== undefined && at < bytes.length && !sent.destroyed; at += pieceBytes) {
    const isTaken = sent.write(bytes.subarray(at, at + pieceBytes))
    if (!isTaken) await writable(sent)
    await nextTurn()
  }
  sent.end()
}

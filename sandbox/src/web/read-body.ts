import type { IncomingMessage } from 'node:http'

const maxBytes = 20 * 1024 * 1024

/** Reads a request's body. Rejects if it is over 20 MiB or incomplete. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) throw new Error('the body is too large')
  }
  return Buffer.concat(chunks)
}

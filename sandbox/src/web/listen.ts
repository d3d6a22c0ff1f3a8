import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens at `host:port`, where port 0 takes a free one, and returns the address. Rejects when it is taken. */
export async function listen(server: Server, at: string): Promise<string> {
  const colon = at.lastIndexOf(':')
  server.listen(Number(at.slice(colon + 1)), at.slice(0, colon).replaceAll(/[[\]]/g, ''))
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`
}

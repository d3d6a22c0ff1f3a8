import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens at `host:port`, where port 0 takes a free one, and returns the address. Rejects when it is taken. */
export async function listen(server: Server, at: string): Promise<string> {
  const { host, port } = hostAndPort(at)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`
}

/** The two parts of `host:port`; an IPv6 address, which stands in brackets there, without them. */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(address.slice(colon + 1)) }
}

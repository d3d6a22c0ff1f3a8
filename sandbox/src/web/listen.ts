import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens at `host:port` and returns the address. Port 0 means a free port. Rejects if the port is in use. */
export async function listen(server: Server, at: string): Promise<string> {
  const { host, port } = hostAndPort(at)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return address.family === 'IPv6' ? `[${address.address}]:${address.port}` : `${address.address}:${address.port}`
}

/** The two parts of `host:port`; an IPv6 address is returned without its brackets. */
export function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(address.slice(colon + 1)) }
}

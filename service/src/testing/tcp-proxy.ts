import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PassThrough, Transform } from 'node:stream'

/** A door before a real server that tests can shut: connections die, and new ones are refused at once. */
export interface TcpProxy {
  /** The server's URL with the proxy's port in it. */
  readonly url: string
  /** Connections that were tried, refused ones included. */
  readonly knocks: () => number
  /** Connections that lead to the server now. */
  readonly connections: () => number
  shut(): void
  /** As if the server's machine were gone: connections stand, and nothing passes any more; new ones lead to the server. */
  freeze(): void
  open(): void
  /** New connections lead to another server. */
  leadTo(serverUrl: string): void
  close(): Promise<void>
}

/**
 * Puts a proxy on a free loopback port before the server of a URL.
 *
 * @param options.delayMs how long each direction takes, like a network between the two: bytes stay in order, and do not wait for each other
 * @param options.host another loopback address, and `port` one that is free there
 */
export async function tcpProxy(
  serverUrl: string,
  { delayMs = 0, host = '127.0.0.1', port = 0 } = {},
): Promise<TcpProxy> {
  let target = serverUrl
  const sockets = new Set<Socket>()
  let isOpen = true
  let knocks = 0
  const keep = (socket: Socket): Socket => socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  const server = createServer((near) => {
    knocks++
    if (!isOpen) return void near.destroy()
    const far = openTo(target)
    for (const socket of [near, far]) sockets.add(keep(socket.setNoDelay(true)))
    near.pipe(line(delayMs)).pipe(far).pipe(line(delayMs)).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(port, host)
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.hostname = host
  url.port = String((server.address() as AddressInfo).port)
  const shut = (): void => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    knocks: () => knocks,
    connections: () => sockets.size / 2,
    shut,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().resume()
    },
    open: () => {
      isOpen = true
    },
    leadTo: (otherUrl) => {
      target = otherUrl
    },
    close: async () => {
      shut()
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

/** Opens a connection to the server of a URL. PostgreSQL's URLs may name the folder of a Unix socket. */
export function openTo(serverUrl: string): Socket {
  const { hostname, port } = new URL(serverUrl)
  const host = decodeURIComponent(hostname)
  return connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) })
}

function line(delayMs: number): Transform {
  if (delayMs === 0) return new PassThrough()
  return new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => this.push(chunk), delayMs)
      done()
    },
    flush: (done) => void setTimeout(done, delayMs),
  })
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PassThrough, Transform } from 'node:stream'

/** A proxy in front of a real server that tests can shut: existing connections are closed, and new ones are refused immediately. */
export interface TcpProxy {
  /** The server's URL with the proxy's port in it. */
  readonly url: string
  /** The number of attempted connections, including refused ones. */
  readonly knocks: () => number
  /** The number of current connections to the server. */
  readonly connections: () => number
  shut(): void
  /** As if the server's machine were gone: connections stay open, and no data passes any longer. New connections still reach the server. */
  freeze(): void
  open(): void
  /** Sends new connections to another server. */
  leadTo(serverUrl: string): void
  close(): Promise<void>
}

/**
 * Starts a proxy on a free loopback port in front of the server of a URL.
 *
 * @param options.delayMs the delay in each direction, like a network between the two: bytes stay in order, and do not wait for each other
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

/** Opens a connection to the server of a URL. PostgreSQL's URLs may name the directory of a Unix socket. */
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

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Spread over this many clients, because a server may allow only a few connections per client. */
const addresses = 100
const atOnce = 100

/** Connections that send nothing. */
export interface IdleConnections {
  /** How many the server accepted, whether it kept them or not. */
  readonly opened: number
  close(): void
}

/** Opens connections from addresses of the loopback network, a hundred at a time, and leaves them idle. */
export async function openIdleConnections(port: number, count: number): Promise<IdleConnections> {
  const sockets: Socket[] = []
  let opened = 0
  for (let from = 0; from < count; from += atOnce) {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - from) }, async (_, index) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + ((from + index) % addresses)}` })
        socket.on('error', () => socket.destroy())
        sockets.push(socket)
        await once(socket, 'connect')
        opened++
      }),
    )
  }
  return {
    opened,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

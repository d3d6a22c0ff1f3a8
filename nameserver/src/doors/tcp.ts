import { once } from 'node:events'
import { type AddressInfo, createServer, isIP } from 'node:net'
import type { Endpoint } from '../endpoint.ts'
import type { Log } from '../log.ts'
import type { Door } from './door.ts'
import { type TcpAnswer, TcpConnection, type TcpLimits } from './tcp-connection.ts'
import { TcpCrowd } from './tcp-crowd.ts'
import { TcpTally } from './tcp-tally.ts'

export const usualTcpLimits: TcpLimits = {
  connections: 1000,
  connectionsPerClient: 100,
  idleMs: 10_000,
  crowdedIdleMs: 2000,
  unreadBytes: 64 * 1024,
  piecesPerMessage: 128,
  queriesPerTurn: 50,
  lastQueryMs: 500,
  stopMs: 700,
}

/** If there is a descriptor, it is a listening socket of the endpoint that another process opened and keeps. */
export type OpenTcpDoor = (endpoint: Endpoint, answer: TcpAnswer, log: Log, descriptor?: number) => Promise<Door>

/** DNS over TCP with pipelining (RFC 7766). All doors that the returned function opens share the limits. */
export function tcpDoor(limits: TcpLimits, tally = new TcpTally()): OpenTcpDoor {
  const crowd = new TcpCrowd(limits, tally)
  return (endpoint, answer, log, descriptor) => listen(endpoint, descriptor, answer, log, limits, crowd)
}

async function listen(
  endpoint: Endpoint,
  descriptor: number | undefined,
  answer: TcpAnswer,
  log: Log,
  limits: TcpLimits,
  crowd: TcpCrowd,
): Promise<Door> {
  const here = new Set<TcpConnection>()
  // Half-open: a client that has sent all its queries and ended its side still gets its answers.
  const options = { noDelay: true, allowHalfOpen: true, highWaterMark: limits.unreadBytes }
  const server = createServer(options, (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return socket.destroy()
    const connection = new TcpConnection(socket, remoteAddress, answer, limits, {
      answered: () => crowd.touch(connection),
      closed: () => {
        here.delete(connection)
        crowd.remove(connection)
      },
    })
    here.add(connection)
    crowd.add(connection)
  })
  const { host, port: wanted } = endpoint
  const place = descriptor === undefined ? { host, port: wanted, ipv6Only: isIP(host) === 6 } : { fd: descriptor }
  server.listen({ ...place, backlog: 1024 })
  await once(server, 'listening')
  server.on('error', (error) => log.error('tcp listener', { listen: endpoint.host, reason: error.message }))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: { host: endpoint.host, port },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const connection of here) connection.finish()
      const lastQuery = setTimeout(() => {
        // Runs after pending data is read, because on a busy machine this process may not have run until now.
        setImmediate(() => {
          for (const connection of here) connection.endIfIdle()
        })
      }, limits.lastQueryMs)
      const deadline = setTimeout(() => {
        for (const connection of here) connection.close('stopped')
      }, limits.stopMs)
      await closed
      clearTimeout(lastQuery)
      clearTimeout(deadline)
    },
  }
}

import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

/**
 * Gives a server's clients `ms` to leave it. For half of that time it serves as before, so that load balancers see that it is not ready. Then
 * it accepts no new connections, and closes each open one after its next response.
 *
 * In this order, because requests on a connection that is not accepted are lost, and clients do not retry a change that they have sent.
 * A client with open connections needs no new one until they are closed, and one that is refused uses another server.
 */
export async function drain(server: HttpServer, ms: number): Promise<void> {
  await delay(ms / 2)
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // After the connections that were accepted in this turn.
  await turn()
  const ended = new Promise((resolve) => {
    // Not the HTTP server's own `close`: it would end idle connections, and a request may be on its way on them.
    Server.prototype.close.call(server, resolve)
  })
  await Promise.race([ended, delay(ms / 2, undefined, { ref: false })])
}

import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

/**
 * Lets a server's clients leave it, for so long: half of it, it goes on as ever, for load balancers that look whether it is ready. Then it
 * takes no more connections, and answers on those that there are, each of which ends with its answer.
 *
 * In this order, since what is lost is what comes on a connection that nobody accepts any more, and a change that was sent is not sent again
 * by whoever sent it. A client that keeps its connections opens none while they are not taken from it, and one that is refused goes elsewhere.
 */
export async function drain(server: HttpServer, ms: number): Promise<void> {
  await delay(ms / 2)
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  // Behind those that were accepted in this turn.
  await turn()
  const ended = new Promise((resolve) => {
    // Not the HTTP server's own: it would end those that are at rest, and a request may be on its way on them.
    Server.prototype.close.call(server, resolve)
  })
  await Promise.race([ended, delay(ms / 2, undefined, { ref: false })])
}

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { readBody } from '../web/read-body.ts'
import type { Behaviour } from './behaviour.ts'
import type { Inbox } from './inbox.ts'

/** The name of the receiver in a path `/hooks/<name>`. */
export function receiverOf(url: string | undefined): string | undefined {
  return /^\/hooks\/([\w.-]{1,100})(?:\?.*)?$/.exec(url ?? '')?.[1]
}

/** The HTTPS server: accepts POST requests to `/hooks/<name>`, and responds with the behavior that was set. */
export function createHooksServer(inbox: Inbox, certificate: { cert: string; key: string }): Server {
  const server = createServer({ ...certificate, keepAliveTimeout: 30_000 }, (request, response) => {
    receive(inbox, request, response).catch(() => response.destroy())
  })
  return server
}

async function receive(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const receiver = receiverOf(request.url)
  if (receiver === undefined) return answer(response, 404, 'Webhooks go to /hooks/<name>.')
  if (request.method !== 'POST') return answer(response, 405, 'Webhooks are posted.')
  const body = await readBody(request)
  const { request: taken, behaviour } = inbox.take(receiver, request.headers, body)
  if (behaviour.delayMs !== undefined) await wait(behaviour.delayMs, response)
  if (behaviour.hang) return
  if (behaviour.reset || taken.status === null) {
    request.socket.destroy()
    return
  }
  if (behaviour.pour !== undefined) return pour(response.writeHead(taken.status), behaviour.pour)
  answer(response, taken.status, taken.doubt ?? 'verified', locationOf(behaviour))
}

/** A body that continues until the client closes the connection. */
async function pour(response: ServerResponse, how: 'drip' | 'flood'): Promise<void> {
  const [bytes, times, everyMs] = how === 'drip' ? [1, 300, 200] : [65_536, 4_096, 0]
  const drop = Buffer.alloc(bytes, '.')
  for (let i = 0; i < times && !response.destroyed; i += 1) {
    if (!response.write(drop)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    if (everyMs > 0) await wait(everyMs, response)
  }
  response.end()
}

function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
}

function locationOf({ redirect }: Behaviour): Record<string, string> {
  return redirect === undefined ? {} : { location: redirect }
}

/** Waits, but no longer than the client does. */
function wait(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

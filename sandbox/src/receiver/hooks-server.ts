import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { readBody } from '../web/read-body.ts'
import type { Behaviour } from './behaviour.ts'
import type { Inbox } from './inbox.ts'

/** The name of the receiver that a path is of: `/hooks/<name>`. */
export function receiverOf(url: string | undefined): string | undefined {
  return /^\/hooks\/([\w.-]{1,100})(?:\?.*)?$/.exec(url ?? '')?.[1]
}

/** The https side: takes what is posted to `/hooks/<name>` in, and answers as it was told. */
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
  answer(response, taken.status, taken.doubt ?? 'verified', locationOf(behaviour))
}

function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
}

function locationOf({ redirect }: Behaviour): Record<string, string> {
  return redirect === undefined ? {} : { location: redirect }
}

/** Waits, but no longer than the caller does. */
function wait(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

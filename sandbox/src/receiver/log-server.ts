import { createServer, type IncomingMessage, type Server } from 'node:http'
import { readBehaviour } from './behaviour.ts'
import { receiverOf } from './hooks-server.ts'
import type { Inbox } from './inbox.ts'
import { page, requestList } from './page.ts'
import { readBody } from './read-body.ts'

/** Plain http on the loopback interface, so that a browser and curl need no certificate: the page, and the JSON beside it. */
export function createLogServer(inbox: Inbox, onSecret: () => Promise<void>): Server {
  return createServer((request, response) => {
    route(inbox, onSecret, request)
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
      })
      .catch(() => response.destroy())
  })
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

async function route(inbox: Inbox, onSecret: () => Promise<void>, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://receiver')
  const receiver = url.searchParams.get('receiver') ?? undefined
  switch (`${request.method} ${url.pathname.replace(/^\/hooks\/.*/, '/hooks/')}`) {
    case 'GET /':
      return html(page(inbox.received(receiver)))
    case 'GET /requests':
      return html(requestList(inbox.received(receiver)))
    case 'GET /log':
      return json(200, { data: inbox.received(receiver, Number(url.searchParams.get('after') ?? 0)) })
    case 'DELETE /log':
      inbox.forget()
      return json(200, { data: [] })
    case 'PUT /behaviour':
      return await setBehaviour(inbox, receiver, request)
    case 'PUT /hooks/':
      return await setSecret(inbox, onSecret, request)
    default:
      return json(404, {
        error: 'GET /, GET /log, DELETE /log, PUT /behaviour and PUT /hooks/<name> are answered here.',
      })
  }
}

async function setBehaviour(inbox: Inbox, receiver: string | undefined, request: IncomingMessage): Promise<Answer> {
  const behaviour = readBehaviour(parse(await readBody(request)))
  if (typeof behaviour === 'string') return json(422, { error: behaviour })
  inbox.behave(behaviour, receiver)
  return json(200, behaviour)
}

async function setSecret(inbox: Inbox, onSecret: () => Promise<void>, request: IncomingMessage): Promise<Answer> {
  const receiver = receiverOf(request.url)
  const value = parse(await readBody(request))
  const secret = typeof value === 'object' && value !== null && 'secret' in value ? value.secret : undefined
  if (receiver === undefined || typeof secret !== 'string' || !secret.startsWith('whsec_'))
    return json(422, { error: 'PUT /hooks/<name> takes {"secret": "whsec_…"}.' })
  inbox.setSecret(receiver, secret)
  await onSecret()
  return json(200, { receiver })
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: `${JSON.stringify(value, undefined, 2)}\n` }
}

function html(body: string): Answer {
  return { status: 200, type: 'text/html', body }
}

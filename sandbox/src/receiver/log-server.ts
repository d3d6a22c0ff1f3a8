import type { IncomingMessage, Server } from 'node:http'
import { type Answer, createAnswerServer, html, json, parseJson } from '../web/answer.ts'
import { readBody } from '../web/read-body.ts'
import { readBehaviour } from './behaviour.ts'
import { receiverOf } from './hooks-server.ts'
import type { Inbox } from './inbox.ts'
import { page, requestList } from './page.ts'

/** Plain http on the loopback interface, so that a browser and curl need no certificate: the page and the JSON. */
export function createLogServer(inbox: Inbox, onSecret: () => Promise<void>): Server {
  return createAnswerServer((request) => route(inbox, onSecret, request))
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
  const behaviour = readBehaviour(parseJson(await readBody(request)))
  if (typeof behaviour === 'string') return json(422, { error: behaviour })
  inbox.behave(behaviour, receiver)
  return json(200, behaviour)
}

async function setSecret(inbox: Inbox, onSecret: () => Promise<void>, request: IncomingMessage): Promise<Answer> {
  const receiver = receiverOf(request.url)
  const value = parseJson(await readBody(request))
  const secret = typeof value === 'object' && value !== null && 'secret' in value ? value.secret : undefined
  if (receiver === undefined || typeof secret !== 'string' || !secret.startsWith('whsec_'))
    return json(422, { error: 'PUT /hooks/<name> takes {"secret": "whsec_…"}.' })
  inbox.setSecret(receiver, secret)
  await onSecret()
  return json(200, { receiver })
}

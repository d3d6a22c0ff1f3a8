import type { IncomingMessage, Server } from 'node:http'
import type { Behaviours } from '../behaviours.ts'
import { type Answer, createAnswerServer, html, json, parseJson } from '../web/answer.ts'
import { readBody } from '../web/read-body.ts'
import { type Behaviour, readBehaviour } from './behaviour.ts'
import type { MailFolder } from './mail-folder.ts'
import { listPage, mailPage } from './page.ts'
import type { Mail } from './read-mail.ts'

/** Plain http on the loopback interface: the pages and the JSON. */
export function createWebServer(folder: MailFolder, behaviours: Behaviours<Behaviour>): Server {
  return createAnswerServer((request) => route(folder, behaviours, request))
}

async function route(folder: MailFolder, behaviours: Behaviours<Behaviour>, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://mailbox')
  const to = url.searchParams.get('to') ?? undefined
  const number = Number(/\/(\d{1,15})(?:\.eml)?$/.exec(url.pathname)?.[1])
  switch (`${request.method} ${url.pathname.replace(/\/\d{1,15}(?=$|\.eml$)/, '/<number>')}`) {
    case 'GET /':
      return page(listPage(folder.list({ to }), to))
    case 'GET /<number>':
      return mailAt(folder, number, (mail) => page(mailPage(mail)))
    case 'GET /mails':
      return list(folder, to, url.searchParams.get('since'))
    case 'GET /mails/<number>':
      return mailAt(folder, number, (mail) => json(200, mail))
    case 'GET /mails/<number>.eml':
      return mailAt(folder, number, async (mail) => ({
        status: 200,
        type: 'text/plain',
        body: await folder.source(mail),
      }))
    case 'DELETE /mails':
      await folder.clear()
      return json(200, { data: [] })
    case 'POST /delete':
      return await deleteFromPage(folder, request)
    case 'PUT /behaviour':
      return await setBehaviour(behaviours, to, request)
    default:
      return json(404, { error: answered })
  }
}

const answered =
  'GET /, GET /<number>, GET /mails, GET /mails/<number>, GET /mails/<number>.eml, DELETE /mails and PUT /behaviour are answered here.'

/** No script runs, and nothing is fetched, whatever a message contains: pictures would show the sender that it was read. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"

function page(body: string): Answer {
  return html(body, { 'content-security-policy': contentPolicy })
}

async function mailAt(
  folder: MailFolder,
  number: number,
  show: (mail: Mail) => Answer | Promise<Answer>,
): Promise<Answer> {
  const mail = folder.one(number)
  return mail ? await show(mail) : json(404, { error: `There is no mail ${number}.` })
}

function list(folder: MailFolder, to: string | undefined, since: string | null): Answer {
  const time = since === null ? undefined : new Date(since)
  if (time && Number.isNaN(time.getTime()))
    return json(422, { error: 'since is a time, such as 2026-11-20T12:00:00.000Z.' })
  const mails = folder.list({ to, since: time })
  return json(200, {
    data: mails.map(({ number, at, from, to, subject }) => ({ number, at, from, to, subject })),
  })
}

/** The button of the page. Another site must not be able to trigger it. */
async function deleteFromPage(folder: MailFolder, request: IncomingMessage): Promise<Answer> {
  const { origin, host } = request.headers
  if (origin !== undefined && origin !== `http://${host}`) return json(403, { error: 'Not from another site.' })
  await folder.clear()
  return { status: 303, type: 'text/plain', body: '', headers: { location: '/' } }
}

async function setBehaviour(
  behaviours: Behaviours<Behaviour>,
  to: string | undefined,
  request: IncomingMessage,
): Promise<Answer> {
  const behaviour = readBehaviour(parseJson(await readBody(request)))
  if (typeof behaviour === 'string') return json(422, { error: behaviour })
  behaviours.set(behaviour, to)
  return json(200, behaviour)
}

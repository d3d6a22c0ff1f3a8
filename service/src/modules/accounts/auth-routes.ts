import { displayData } from '@zonewright/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpServer } from '#http/server.ts'
import { boundedMessage, firstCharacters } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import type { Auth } from './auth.ts'
import { addressHeader, authPath } from './auth-rules.ts'

/** The routes of better-auth that are served. All of its other routes are answered 404. */
export const authRoutes: Readonly<Record<string, 'GET' | 'POST'>> = {
  '/sign-up/email': 'POST',
  '/sign-up/link': 'POST',
  '/sign-up/complete': 'POST',
  '/sign-in/email': 'POST',
  '/passkey/challenge': 'POST',
  '/sign-in/passkey': 'POST',
  '/provider/begin': 'POST',
  '/provider/answer': 'POST',
  '/sign-out': 'POST',
  '/get-session': 'GET',
  '/list-sessions': 'GET',
  '/revoke-session': 'POST',
  '/revoke-other-sessions': 'POST',
  '/request-password-reset': 'POST',
  '/reset-password/:token': 'GET',
  '/reset-password': 'POST',
  '/change-password': 'POST',
  '/two-factor/enable': 'POST',
  '/two-factor/disable': 'POST',
  '/two-factor/verify-totp': 'POST',
  '/two-factor/verify-backup-code': 'POST',
  '/two-factor/generate-backup-codes': 'POST',
}

/** Names, addresses, passwords and links. Some of it goes into emails to people who did not request them. */
const maxBodyBytes = 16 * 1024

/** Mounts sign-up, sign-in, sessions and two-factor authentication below `/api/auth`. */
export function mountAuthRoutes({ fastify }: HttpServer, auth: Auth, publicUrl: string): void {
  for (const [path, method] of Object.entries(authRoutes))
    fastify.route({
      method,
      url: authPath + path,
      bodyLimit: maxBodyBytes,
      handler: async (request, reply) => {
        // PostgreSQL stores no such text.
        if (request.url.includes('%00')) throw new Refusal('validation_failed', 'The URL contains a NUL character.')
        return path === '/get-session' && auth.signedSession(request.headers.cookie) === undefined
          ? answerNobody(reply)
          : answer(reply, await auth.handler(requestOf(request, publicUrl)))
      },
    })
  // Links in older emails confirmed an address when they were opened. Now they lead to the page that sends a new link.
  fastify.get(`${authPath}/verify-email`, (_request, reply) => reply.redirect('/app/create-account'))
}

/** better-auth's response if no one is signed in, returned without calling it, so that a forged cookie costs as little as none. */
function answerNobody(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).type('application/json').send('null')
}

function requestOf(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (!hopHeaders.has(name) && value !== undefined) headers.set(name, String(value))
  headers.set(addressHeader, request.ip)
  const hasBody =
    request.method !== 'GET' && request.method !== 'HEAD' && request.body !== undefined && request.body !== null
  return new Request(new URL(request.url, publicUrl), {
    // better-auth does not support HEAD, so it gets a GET, and the response has no body.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    headers,
    ...(hasBody ? { body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body) } : {}),
  })
}

/** Headers of the connection, or of a body that is written again. */
const hopHeaders = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** Response headers that are not copied: cookies are copied one by one, and caching is decided for all of our responses. */
const kept = new Set(['set-cookie', 'cache-control'])

async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const body = await response.text()
  // Its router answers an unknown route like this, without a body.
  if (response.status === 404 && body === '') throw new Refusal('not_found', 'No route matches this path.')
  reply.code(response.status)
  response.headers.forEach((value, name) => {
    if (!kept.has(name)) reply.header(name, value)
  })
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  if (response.status >= 400) return reply.send(boundedError(body))
  // Its redirects claim to be JSON, but have no body.
  const isJson = body !== '' && response.headers.get('content-type')?.startsWith('application/json')
  return reply.send(isJson ? JSON.stringify(displayData(JSON.parse(body))) : body)
}

/** An error of better-auth, with a bounded message, because it may quote the request. */
function boundedError(text: string): string {
  if (firstCharacters(text) === text) return text
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown }
    return JSON.stringify({ code, message: boundedMessage(String(message)) })
  } catch {
    return boundedMessage(text)
  }
}

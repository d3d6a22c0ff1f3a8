import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { maxPublicBodyBytes } from '@zonewright/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../log.ts'
import { inRequest } from '../request-id.ts'
import { type ConnectionTimes, limitConnections, serveInOrder, connectionTimes as usualTimes } from './connections.ts'
import { type Problem, problemOf } from './problem.ts'
import { privateHeaders } from './response-headers.ts'
import { hasUnneededBody, hasUnreadBody, LastBody, maxUnreadBytes, readAway } from './unread-body.ts'
import { answerUnreadable, refuseOnSocket } from './unreadable.ts'

/** How the protocol of a route reports a refusal. The headers are in addition to those of the problem, or replace them. */
export type ProblemForm = (problem: Problem) => {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Left out: refusals have the error envelope of the API. */
    problem?: ProblemForm
  }
}

/** A name of 255 bytes on the wire may need four characters per byte in a path, each of them percent-encoded. */
const maxParamLength = 4_096
/** More than a browser opens, or a client that sends many requests at once. */
const defaultConnectionsPerAddress = 256

/**
 * Creates the HTTP server that each port of the service uses. Every response has a request id and the headers of `privateHeaders`. Every
 * refusal has the error envelope, even if the request could not be parsed. Connections are limited.
 */
export function createFastify(
  log: Logger,
  options: {
    /** Addresses and networks whose X-Forwarded-For is trusted. If empty, the peer of the connection is the client. */
    readonly trustedProxies?: readonly string[] | undefined
    readonly connectionsPerAddress?: number | undefined
    readonly connectionTimes?: ConnectionTimes | undefined
    /** Ends connections with requests in flight when the server closes. */
    readonly endsAbruptly?: boolean
  } = {},
): FastifyInstance {
  const { trustedProxies = [] } = options
  const routes: KnownRoute[] = []
  const fastify = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    // For routes outside the contract. Those of the contract have limits of their own.
    bodyLimit: maxPublicBodyBytes,
    routerOptions: { maxParamLength },
    // For refusals by the router itself, such as of a path that cannot be decoded, which belong to no route.
    frameworkErrors: (error, request, reply) => {
      const door = routesAt(routes, request.url).find(({ problem }) => problem !== undefined)
      answerProblem(error, request, reply, { log, form: door?.problem })
    },
    clientErrorHandler: answerUnreadable,
    // On a stop, requests in flight get responses, and so do those that still arrive on their connections, each of which ends with its response
    // (`drain`). Idle connections are closed. Fastify's own 503 would not have our envelope.
    forceCloseConnections: options.endsAbruptly ? true : 'idle',
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    serverFactory: (handler) => openServer(handler, options),
  })
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
    for (const one of [method].flat()) routes.push({ method: one, pattern, problem: config?.problem })
  })
  nameRequests(fastify)
  addErrors(fastify, log, routes)
  return fastify
}

function openServer(
  handler: (request: never, response: never) => void,
  {
    trustedProxies = [],
    connectionsPerAddress = defaultConnectionsPerAddress,
    connectionTimes: times = usualTimes,
  }: Parameters<typeof createFastify>[1] & object,
): Server {
  const server = createServer(
    {
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.idleMs,
      connectionsCheckingInterval: times.checkEveryMs,
      // `nameRequests` refuses a request without Host, with a body.
      requireHostHeader: false,
    },
    serveInOrder((request, response) => {
      // An upgrade that we do not support may be ignored (RFC 9110 §7.8). After a chunked body of such a request, Node drops what has arrived of
      // the next one, which would get no response: so this response is the last one on its connection.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
      const serve = () => handler(request as never, response as never)
      // The end of the connection would cut off a response while the client still sends its body, so the unused body is read first.
      if (response.shouldKeepAlive || !hasUnneededBody(request)) serve()
      else {
        readAway(request)
        request.once('end', serve)
      }
    }),
  )
  // An expectation that we do not know may be ignored (RFC 9110 §10.1.1); node would answer 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => refuseOnSocket(socket as Socket, 'connect'))
  limitConnections(server, { mostPerAddress: connectionsPerAddress, trustedProxies, times })
  return server
}

/** Each response has its request's id, and so does everything that the request causes. */
function nameRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(privateHeaders(request.id))
    done(refusalOfHost(request))
  })
  // After the body is read: it is read in the context of the connection, where the request would be lost.
  fastify.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done))
}

/** RFC 9112 §3.2: a request of HTTP/1.1 without Host, or with more than one, gets a 400. */
function refusalOfHost({
  raw: { httpVersionMinor, httpVersionMajor, rawHeaders },
}: FastifyRequest): Refusal | undefined {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  const least = httpVersionMajor === 1 && httpVersionMinor === 0 ? 0 : 1
  if (hosts >= least && hosts <= 1) return undefined
  return new Refusal(
    'malformed_request',
    `The request has ${hosts === 0 ? 'no' : 'more than one'} Host header. Send one.`,
  )
}

function addErrors(fastify: FastifyInstance, log: Logger, routes: readonly KnownRoute[]): void {
  fastify.setErrorHandler((error, request, reply) =>
    answerProblem(error, request, reply, { log, form: request.routeOptions.config.problem }),
  )
  // Before the body is read, because no route needs it.
  fastify.addHook('preParsing', (request, _reply, _payload, done) => done(request.is404 ? unknown(request) : null))
  fastify.setNotFoundHandler(async (request) => {
    throw unknown(request)
  })

  function unknown(request: FastifyRequest): Refusal {
    const allowed = routesAt(routes, request.url).map(({ method }) => method)
    if (allowed.length === 0)
      return new Refusal('not_found', 'No route matches this path. See the API reference at /api/v1/reference.')
    const allow = allowed.join(', ')
    return new Refusal('method_not_allowed', `${request.method} is not supported here. Use ${allow}.`, {
      headers: { allow },
    })
  }
}

function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, form = envelope }: { readonly log: Logger; readonly form: ProblemForm | undefined },
): void {
  const problem = problemOf(error, request.id)
  // The route, not the path: the path of a payment link is the secret itself.
  if (problem.status >= 500)
    log.error(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'request failed',
    )
  // A 401 has no limit to name (`responseHeadersOf`), although its caller may have been admitted before.
  if (problem.status === 401) reply.removeHeader('ratelimit').removeHeader('ratelimit-policy')
  const { status, type, body: text, headers } = form(problem)
  // As bytes, because Fastify adds a character set to the type of a text.
  const body = type === 'application/json' ? Buffer.from(text) : text
  reply
    .code(status)
    // Again, because a refusal by the router has passed no hook.
    .headers({ ...privateHeaders(request.id), ...problem.headers, ...headers })
    .type(type)
  if (Number(request.headers['content-length']) > maxUnreadBytes) reply.header('connection', 'close').send(body)
  else sendAfterBody(reply, body)
}

const envelope: ProblemForm = ({ status, body }) => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  // What the documentation says about the code (RFC 8288).
  headers: { link: `</docs/errors#${body.error.code}>; rel="help"` },
})

/** Sends a refusal, and reads and drops the part of the body that has not arrived. */
function sendAfterBody(reply: FastifyReply, body: string | Buffer): void {
  const { raw: request } = reply.request
  const isUnread = hasUnreadBody(request)
  if (isUnread) readAway(request)
  if (reply.raw.shouldKeepAlive) {
    // Fastify would end the connection of a request whose body it did not read.
    reply.removeHeader('connection').send(body)
    return
  }
  if (!isUnread) {
    reply.send(body)
    return
  }
  reply
    .headers({ connection: 'close', 'content-length': Buffer.byteLength(body) })
    .send(new LastBody(request, body.toString()))
}

/** A method and path that is mounted. */
interface KnownRoute {
  readonly method: string
  readonly pattern: RegExp
  readonly problem: ProblemForm | undefined
}

/** The routes of the path of a URL, which may not be decodable. */
function routesAt(routes: readonly KnownRoute[], url: string): KnownRoute[] {
  const [path = '/'] = url.split('?', 1)
  return routes.filter(({ pattern }) => pattern.test(path))
}

import { isUtf8 } from 'node:buffer'
import type { Route } from '@zonewright/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Caller } from '../caller.ts'
import { type Database, withOutagesNamed } from '../db.ts'
import { Refusal } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../log.ts'
import { Histogram, type Registry } from '../metrics.ts'
import { inRequest } from '../request-id.ts'
import type { SecretBox } from '../secrets.ts'
import type { Along, CalledZone } from './call.ts'
import { drain } from './drain.ts'
import { authenticateWithin, limitStrangers } from './limit-requests.ts'
import type { Admitted } from './mount.ts'
import { problemOf } from './problem.ts'
import { RequestLimits, type RequestLimitsOptions } from './request-limits.ts'
import { answerUnreadable } from './unreadable.ts'

const maxJsonBytes = 1024 * 1024
/** What is longer than this is cut off where it is refused; of what is not, node reads the rest away, and the connection goes on. */
const maxUnreadBytes = 64 * 1024 * 1024
/** So long a request may take to arrive, with its body: 16 MiB at 500 kbit/s. What is not there then is answered 408. */
const requestTimeoutMs = 300_000
/** A name of 255 bytes on the wire may need four characters a byte in a path, and percent signs before them. */
const maxParamLength = 4_096

declare module 'fastify' {
  interface FastifyRequest {
    caller: Admitted
  }
  interface FastifyContextConfig {
    route?: Route
    /** Load balancers ask it, and are never refused. */
    isUnlimited?: true
  }
}

/** What a request shows of who makes it. */
export interface Credentials {
  readonly method: string
  /** All Authorization headers, with commas between: more than one is as bad as none of the right form. */
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** Of the page that a browser sent it from. */
  readonly origin: string | undefined
  /** The `{zone}` of the path. */
  readonly zoneRef: string | undefined
  readonly along?: Along | undefined
  readonly address: string
  /** The request was let in before its body was there: it is looked at again, and not counted again. */
  readonly wasAdmitted?: boolean
}

/**
 * Finds out who makes a request and, for `{zone}` paths, what the caller may know of that zone. Throws a Refusal (401, 403, 429).
 *
 * `headers` go with the answer, whatever it is.
 */
export type Authenticate = (credentials: Credentials) => Promise<{
  readonly caller: Caller
  readonly zone: CalledZone | undefined
  readonly headers?: Readonly<Record<string, string>>
}>

/** The HTTP side of the service: modules mount their routes on it. */
export interface HttpServer {
  readonly fastify: FastifyInstance
  readonly database: Database
  readonly authenticate: Authenticate
  readonly secrets: SecretBox
  /** Undefined: nothing is limited but keys. */
  readonly limits: RequestLimits | undefined
  /** The routes mounted so far: the ones that the server really answers. */
  readonly routes: readonly Route[]
  noteRoute(route: Route): void
  /** Lets clients go to another process, for so many milliseconds; it can be closed then. From now on nothing that only waits waits on. */
  drain(ms: number): Promise<void>
  /** Aborted by `drain`. */
  readonly leaving: AbortSignal
}

export function createHttpServer(options: {
  database: Database
  authenticate: Authenticate
  secrets: SecretBox
  log: Logger
  metrics: Registry
  /** Addresses and networks whose X-Forwarded-For is believed; none: whoever connects is the client. */
  trustedProxies?: readonly string[]
  /** Requests of sessions, of strangers, and those that ask servers of others are limited; left out: they are not. */
  limits?: RequestLimitsOptions
}): HttpServer {
  const fastify = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    bodyLimit: maxJsonBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength },
    // A path that cannot be decoded, before there is a route to answer for it.
    frameworkErrors: (error, request, reply) => answerProblem(error, request, reply, options.log),
    clientErrorHandler: answerUnreadable,
    // Requests in flight at a stop are answered, and those that come on their connections meanwhile, each of which ends with its answer
    // (`drain`); idle connections are closed. Fastify's own 503 would be none of our envelopes.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
  })
  const routes: Route[] = []
  const leaving = new AbortController()
  // A body that is not JSON is kept as a text; the route says what it wanted.
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => done(null, utf8Of(body)))
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  // Many clients say JSON with every request: where a route takes no body, none is none.
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) =>
    body.length === 0 && request.routeOptions.config.route?.body === undefined
      ? done(null, undefined)
      : parseJson(request, utf8Of(body), done),
  )
  fastify.decorateRequest('caller')
  nameRequests(fastify)
  const limits = options.limits && new RequestLimits(options.limits, options.metrics, leaving.signal)
  const authenticate = limits ? authenticateWithin(limits, options.authenticate) : options.authenticate
  if (limits) limitStrangers(fastify, limits)
  addErrors(fastify, options.log)
  measure(fastify, options.metrics)
  return {
    fastify,
    database: options.database,
    authenticate: (request) => withOutagesNamed(() => authenticate(request)),
    limits,
    secrets: options.secrets,
    routes,
    noteRoute: (route) => routes.push(route),
    drain: (ms) => {
      leaving.abort()
      return drain(fastify.server, ms)
    },
    leaving: leaving.signal,
  }
}

/** A body as a text. Other encodings are refused: U+FFFD would be published in place of what they say. */
function utf8Of(body: Buffer): string {
  if (isUtf8(body)) return body.toString()
  throw new Refusal('malformed_request', 'The body is not UTF-8. Write it in UTF-8, and send it again.')
}

/** Each answer bears its request's id, and so does what the request sets off. */
function nameRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  // Once the body is read: what reads it goes by the connection, and would lose the request.
  fastify.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done))
}

function addErrors(fastify: FastifyInstance, log: Logger): void {
  fastify.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log))
  const methodsAt = rememberRoutes(fastify)
  fastify.setNotFoundHandler(async (request) => {
    const allowed = methodsAt(request.url.split('?', 1)[0] ?? '/')
    if (allowed.length === 0)
      throw new Refusal('not_found', 'There is nothing at this address. The API is described at /api/v1/reference.')
    const allow = allowed.join(', ')
    throw new Refusal('method_not_allowed', `${request.method} is not possible here. What is: ${allow}.`, {
      headers: { allow },
    })
  })
}

function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  const problem = problemOf(error, request.id)
  // The route, not the path: of a pay link that is the secret itself.
  if (problem.status >= 500)
    log.error(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'request failed',
    )
  // Fastify ends the connection of a body that it did not take. Whoever is still sending would lose the answer: nginx made 502 of it.
  const unreadBytes = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (reply.hasHeader('connection') && reply.raw.shouldKeepAlive && unreadBytes <= maxUnreadBytes)
    reply.removeHeader('connection')
  reply.code(problem.status).headers(problem.headers).type('application/json; charset=utf-8').send(problem.body)
}

/** Tells which methods a path takes, of the routes that are mounted from now on. */
function rememberRoutes(fastify: FastifyInstance): (path: string) => string[] {
  const routes: { method: string; pattern: RegExp }[] = []
  fastify.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) routes.push({ method: one, pattern })
  })
  return (path) => routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}

function measure(fastify: FastifyInstance, metrics: Registry): void {
  const seconds = new Histogram({
    name: 'zonewright_http_request_seconds',
    help: 'Time from request to answer, by route, status, and whether it waited for nameservers because its caller preferred to.',
    labelNames: ['route', 'status', 'waited'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [metrics],
  })
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.config.route?.id ?? 'other'
    const waited = reply.hasHeader('preference-applied') ? 'yes' : 'no'
    seconds.observe({ route, status: String(reply.statusCode), waited }, reply.elapsedTime / 1000)
  })
}

import { Readable } from 'node:stream'
import { countsBytes, isRaw, maxBodyBytes, type RawBody, type Route, takesIdempotencyKey } from '@zonewright/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { actorOf, type Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import { ValidatedBody } from '#platform/http/large-json.ts'
import { unsupportedMediaType } from '#platform/http/problem.ts'
import { queryOf } from '#platform/http/query.ts'
import { smallBodyBytes } from '#platform/http/request-body.ts'
import { parsePart, parseSliced } from '#platform/http/validation.ts'
import { refuseForeignJson } from '#platform/http/zone-file-body.ts'
import { isLongAsJson, jsonBytes } from '#platform/json-pieces.ts'
import { type Tx, withOutagesInDoubt, withOutagesNamed } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'
import { authorise } from './authorise.ts'
import type { Admitted, Answer, Call, CalledZone, Handler, MountOptions, Steps } from './call.ts'
import { type Spender, withinBudget } from './change-budget.ts'
import { nextLink } from './cursor.ts'
import {
  answerOf,
  type IdempotentRequest,
  idempotentRequest,
  onceAcrossNetwork,
  onceInSteps,
  onceOnly,
  unkeptSteps,
} from './idempotency.ts'
import { ListRequest } from './list-request.ts'
import { parsePreferredWait } from './prefer.ts'
import type { HttpServer } from './server.ts'

/** If a body takes longer, the caller is looked up again, uncounted: in the meantime, the key may have been revoked or the manager removed. */
export const slowBodyMs = 1_000

/** The prefix of every path of the contract. */
export const apiPrefix = '/api/v1'

/** See `HttpServer.mount`. */
export function mountRoute<R extends Route>(
  server: HttpServer,
  route: R,
  handler: Handler<R>,
  options: MountOptions = {},
): void {
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const prefixes = route.path.startsWith('/webhooks') ? [apiPrefix, ''] : [apiPrefix]
  for (const prefix of prefixes)
    server.fastify.route({
      method: route.method,
      url: prefix + path,
      bodyLimit: maxBodyBytes(route),
      handler: (request, reply) => {
        const served = serve(server, route, handler, options, request, reply)
        return route.signed === true ? served.catch((error) => refuseUnsigned(server, request, error)) : served
      },
      config: { route },
      onRequest: async (request, reply) => {
        // Before the body is read: a refused caller must not make us read megabytes.
        request.caller = await admit(server, route, options, request, reply)
      },
    })
}

async function admit(
  server: HttpServer,
  route: Route,
  { preload, admit: admitPublic }: MountOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  wasAdmitted = false,
): Promise<Admitted> {
  const params = request.params as Record<string, string>
  if (route.who === 'public') {
    if (admitPublic) await withOutagesNamed(() => admitPublic(params))
    return { atMs: performance.now(), caller: undefined, zone: undefined }
  }
  const { caller, zone, headers } = await server.authenticate({
    method: request.method,
    authorization: headerOf(request, 'authorization'),
    cookie: request.headers.cookie,
    origin: request.headers.origin,
    zoneRef: params['zone'],
    preload: preload?.(params),
    address: request.ip,
    wasAdmitted,
  })
  if (headers) reply.headers(headers)
  authorise(route, caller, zone)
  return { atMs: performance.now(), caller, zone }
}

async function serve<R extends Route>(
  server: HttpServer,
  route: R,
  handler: Handler<R>,
  options: MountOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (performance.now() - request.caller.atMs > slowBodyMs)
    request.caller = await admit(server, route, options, request, reply, true)
  const asked = await askedOf(route, request)
  const { caller } = request.caller
  if (route.outside && caller) await server.limits?.admitOutside(route.outside, caller.accountId)
  const answer = await withOutagesNamed(async () => {
    const once = await idempotencyOf(server, route, options, request, asked)
    const kept = once && (await answerOf(server.database.db, once))
    const change = () => handler(callOf(server, route, request, asked, once) as Call<R>)
    const spender = spenderOf(server, route, request, asked)
    const given = kept ?? (await (spender ? withinBudget(spender, change) : change()))
    if (options.finish === undefined) return given
    const { zone } = request.caller as { zone: CalledZone }
    return options.finish(
      { zone, waitS: parsePreferredWait(request.headers['prefer']), leaving: server.leaving },
      given,
    )
  })
  const body = await bodyOf(answer)
  // The response to any other method reports what was done, so it is sent.
  if (route.method === 'GET' && (typeof body === 'string' || Buffer.isBuffer(body)))
    server.held.refuseResponse(body.length)
  if (body instanceof Readable) endWith(body, reply)
  for (const [name, value] of Object.entries(answer.headers ?? {})) reply.header(name, value)
  if (answer.location !== undefined) reply.header('location', apiPrefix + answer.location)
  const link = route.method === 'GET' ? nextLink(request.url, answer) : undefined
  if (link !== undefined) reply.header('link', link)
  if (answer.type !== undefined) reply.type(answer.type)
  else if (Buffer.isBuffer(body)) reply.type('application/json; charset=utf-8')
  return reply.code(answer.status).send(body)
}

/** Ends a stream with its response: its client may have gone, or want only the headers (HEAD). */
function endWith(body: Readable, { raw }: FastifyReply): void {
  if (raw.closed) body.destroy()
  else raw.once('close', () => body.destroy())
}

/** Long JSON is written with pauses. */
async function bodyOf({ type, body }: Answer): Promise<unknown> {
  return type === undefined && isLongAsJson(body) ? inSlices(jsonBytes(body)) : body
}

/** A callback that is refused counts toward its address's limit, like any request without a key or session. */
async function refuseUnsigned(server: HttpServer, { ip }: FastifyRequest, error: unknown): Promise<never> {
  if (error instanceof Refusal && error.code !== 'unavailable') await server.limits?.admitStranger(ip)
  throw error
}

/** The account whose change budget a request uses; undefined: none. A dry run changes nothing. */
function spenderOf(
  { budget }: HttpServer,
  route: Route,
  request: FastifyRequest,
  { query }: Asked,
): Spender | undefined {
  const { caller } = request.caller
  if (budget === undefined || caller === undefined || !countsBytes(route)) return undefined
  if ((query as { dry_run?: boolean }).dry_run === true) return undefined
  return { budget, accountId: caller.accountId, bodyBytes: request.bodyBytes }
}

type Asked = Readonly<Record<'params' | 'query' | 'body', unknown>>

async function askedOf(route: Route, request: FastifyRequest): Promise<Asked> {
  return {
    params: route.params && parsePart(route.params, request.params, 'path'),
    query: parsePart(route.query ?? nothing, queryOf(request), 'query'),
    body: await parseBody(route.body ?? nothing, request),
  }
}

function callOf(
  server: HttpServer,
  route: Route,
  request: FastifyRequest,
  asked: Asked,
  once: IdempotentRequest | undefined,
): Call {
  const { caller, zone } = request.caller as { caller: Caller; zone: CalledZone }
  return {
    caller,
    zone,
    actor: caller && actorOf(caller, request, route.source),
    ...asked,
    list: listOf(asked.query),
    accept: preferred(route, request),
    // Where nothing depends on the version of a zone, If-Match is ignored.
    ifMatch: route.errors?.includes('precondition_failed') ? parseIfMatch(request.headers['if-match']) : undefined,
    header: (name: string) => headerOf(request, name),
    isKept: once !== undefined,
    transact: (work: (tx: Tx) => Promise<Answer>) => {
      const onceWork = (tx: Tx) => (once ? onceOnly(tx, once, () => work(tx)) : work(tx))
      // What changes a zone or an account waits for its lock. A request that waits here holds no connection.
      const turn = zone?.id ?? caller?.accountId
      return turn ? server.database.transactInTurn(turn, onceWork) : server.database.transact(onceWork)
    },
    once: (work: () => Promise<Answer>) =>
      once ? onceAcrossNetwork(server.database, once, work) : withOutagesInDoubt(work),
    inSteps: <Done>(work: (steps: Steps<Done>) => Promise<Answer>) =>
      once
        ? onceInSteps(server.database, once, work)
        : withOutagesInDoubt(() => work(unkeptSteps<Done>(server.database))),
  } as Call
}

/** Undefined if the route's query has no `limit`. */
function listOf(query: unknown): ListRequest | undefined {
  const { cursor, limit } = query as { cursor?: string; limit?: number }
  return limit === undefined ? undefined : new ListRequest({ cursor, limit })
}

/** The accepted query or body of a route that has none. A request with `dry_run` must be refused instead of executed. Many clients send `{}`. */
const nothing = z.strictObject(
  {},
  { error: ({ code }) => (code === 'invalid_type' ? 'This call accepts no body. Send it without one.' : null) },
)

/** Every value of a header, joined with commas: `headers` would show only the first of two Authorization headers. */
export function headerOf({ raw: { rawHeaders } }: FastifyRequest, wanted: string): string | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === wanted)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The other content type of the route, if Accept has it and does not have JSON. */
function preferred({ alsoAs }: Route, { headers }: FastifyRequest): string | undefined {
  const accept = headers.accept?.toLowerCase() ?? ''
  return alsoAs !== undefined && accept.includes(alsoAs) && !accept.includes('json') ? alsoAs : undefined
}

function parseBody(schema: z.ZodType | RawBody, request: FastifyRequest): unknown {
  const { body, headers } = request
  if (body instanceof ValidatedBody) return body.value
  // A parsed JSON body can also be a string, so the content type decides whether it is text.
  const isText = typeof body === 'string' && !headers['content-type']?.toLowerCase().startsWith('application/json')
  if (isRaw(schema)) {
    // The route may need the exact bytes of the JSON.
    if (isText || (schema.raw === 'application/json' && typeof body === 'string')) return body
    if (!schema.json || body === undefined) throw unsupportedMediaType(schema.raw)
    refuseForeignJson(schema, body)
    return parseJsonBody(schema.json, body, request)
  }
  if (isText && body !== '') throw unsupportedMediaType()
  return parseJsonBody(schema, body === undefined || isText ? {} : body, request)
}

/** With pauses, unless it is small. */
export function parseJsonBody(schema: z.ZodType, body: unknown, { bodyBytes }: FastifyRequest): unknown {
  return bodyBytes > smallBodyBytes ? inSlices(parseSliced(schema, body, '')) : parsePart(schema, body, '')
}

async function idempotencyOf(
  server: HttpServer,
  route: Route,
  { idempotencyScope }: MountOptions,
  request: FastifyRequest,
  { query }: Asked,
): Promise<IdempotentRequest | undefined> {
  const { caller } = request.caller
  const header = request.headers['idempotency-key']
  if (!takesIdempotencyKey(route) || header === undefined) return undefined
  const scope = caller ? idOf(caller) : await idempotencyScope?.(request.params as Record<string, string>)
  if (scope === undefined) return undefined
  const once = await idempotentRequest(server.secrets, String(header), {
    caller: scope,
    method: route.method,
    url: request.url,
    body: request.body instanceof ValidatedBody ? request.body.value : request.body,
    carriesSecret: route.secret === true,
  })
  // A dry run changes nothing, and its response may be megabytes long. A repeat therefore runs it again.
  return (query as { dry_run?: boolean }).dry_run === true ? undefined : once
}

function idOf(caller: Caller): string {
  return caller.kind === 'key' ? caller.keyId : caller.accountId
}

import { type DoorRoute, maxPublicBodyBytes } from '@zonewright/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, type Caller } from '#platform/caller.ts'
import { ValidatedBody } from '#platform/http/large-json.ts'
import { queryOf } from '#platform/http/query.ts'
import { withOutagesNamed } from '#platform/postgres/index.ts'
import { authorise } from './authorise.ts'
import type { Admitted, CalledZone } from './call.ts'
import { withinBudget } from './change-budget.ts'
import type { Door, DoorRequest } from './door.ts'
import { headerOf, parseJsonBody, slowBodyMs } from './mount.ts'
import type { HttpServer } from './server.ts'

/** See `HttpServer.mountDoor`. */
export function mountDoorRoute(server: HttpServer, route: DoorRoute, door: Door): void {
  const readsBodyFirst = route.maxBodyBytes <= maxPublicBodyBytes
  const admitRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller = await admit(server, route, door, request, reply)
  }
  server.fastify.route({
    method: [...route.methods],
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.maxBodyBytes,
    // A HEAD must not change anything.
    exposeHeadRoute: false,
    config: { door: route, problem: door.problem },
    // A small body may name the zone, so that the key and the zone are looked up together.
    ...(readsBodyFirst ? { preHandler: admitRequest } : { onRequest: admitRequest }),
    handler: async (request, reply) => {
      if (performance.now() - request.caller.atMs > slowBodyMs)
        request.caller = await admit(server, route, door, request, reply, true)
      return serve(server, route, door, request, reply)
    },
  })
}

async function admit(
  server: HttpServer,
  route: DoorRoute,
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
  wasAdmitted = false,
): Promise<Admitted> {
  if (route.who === 'public') return { atMs: performance.now(), caller: undefined, zone: undefined }
  const asked = doorRequest(request)
  const secret = door.secretOf(asked)
  const { caller, zone, headers } = await server.authenticate({
    method: request.method,
    authorization: secret === undefined ? undefined : `Bearer ${secret}`,
    // A door accepts no session.
    cookie: undefined,
    origin: undefined,
    zoneRef: undefined,
    ...door.zoneOf?.(asked),
    address: request.ip,
    wasAdmitted,
  })
  if (headers) reply.headers(headers)
  if (caller.kind !== 'key') throw new Error('a door has found a session')
  await door.admit?.(caller, actorOf(caller, request, route.source), asked)
  if (!door.authorisesItself) authorise(route, caller, zone)
  return { atMs: performance.now(), caller, zone }
}

async function serve(
  server: HttpServer,
  route: DoorRoute,
  door: Door,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { caller, zone } = request.caller as { caller: Caller<'key'>; zone: CalledZone | undefined }
  const actor = caller && actorOf(caller, request, route.source)
  const change = async () => door.answer({ request: await wholeRequest(route, request), caller, actor, zone })
  const { budget } = server
  const isCounted = budget !== undefined && caller !== undefined && route.source !== undefined
  const answer = await withOutagesNamed(() =>
    isCounted ? withinBudget({ budget, accountId: caller.accountId, bodyBytes: request.bodyBytes }, change) : change(),
  )
  const { body } = answer
  // A GET of dyndns2 has changed something, so its response is sent.
  if (request.method === 'GET' && route.source === undefined && (typeof body === 'string' || Buffer.isBuffer(body)))
    server.held.refuseResponse(body.length)
  reply.headers(answer.headers ?? {})
  if (answer.type !== undefined) reply.type(answer.type)
  return reply.code(answer.status).send(body)
}

/** The request with its body in the shape of its route. */
async function wholeRequest({ body: schema }: DoorRoute, request: FastifyRequest): Promise<DoorRequest> {
  const asked = doorRequest(request)
  if (schema === undefined) return asked
  const { body } = request
  return { ...asked, body: body instanceof ValidatedBody ? body.value : await parseJsonBody(schema, body, request) }
}

function doorRequest(request: FastifyRequest): DoorRequest {
  const query = queryOf(request)
  return {
    method: request.method,
    target: request.url,
    params: request.params as Readonly<Record<string, string>>,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().at(-1) ?? ''])),
    body: request.body,
    address: request.ip,
    isEncrypted: request.protocol === 'https',
    header: (name) => headerOf(request, name),
  }
}

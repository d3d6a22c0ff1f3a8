import type { DoorRoute, Route } from '@zonewright/contract'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { ConnectionTimes } from '#platform/http/connections.ts'
import { drain } from '#platform/http/drain.ts'
import { createFastify } from '#platform/http/fastify.ts'
import { HeldBytes } from '#platform/http/held-bytes.ts'
import { addBodyParsers } from '#platform/http/request-body.ts'
import { RequestLimits, type RequestLimitsOptions } from '#platform/http/request-limits.ts'
import type { Logger } from '#platform/log.ts'
import { type Database, withOutagesNamed } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Authenticate } from './call.ts'
import type { ChangeBudget } from './change-budget.ts'
import { authenticateWithin, limitStrangers } from './limit-requests.ts'
import { mountRoute } from './mount.ts'
import { mountDoorRoute } from './mount-door.ts'
import type { HttpServer } from './server.ts'

const defaultMemoryBytes = 256 * 1024 * 1024

export function createHttpServer(options: {
  database: Database
  authenticate: Authenticate
  secrets: SecretBox
  log: Logger
  metrics: Metrics
  /** Addresses and networks whose X-Forwarded-For is trusted. If there are none, the peer of the connection is the client. */
  trustedProxies?: readonly string[] | undefined
  /** Open connections that one address may have; see `limitConnections`. */
  connectionsPerAddress?: number | undefined
  connectionTimes?: ConnectionTimes | undefined
  /** Maximum number of bytes of bodies and responses that are held at once. */
  httpMemoryBytes?: number | undefined
  /** Limits requests of sessions and addresses, and calls that contact other servers. Without it, they are not limited. */
  limits?: RequestLimitsOptions
  /** The daily change budgets of accounts; closed with the server. */
  budget?: ChangeBudget
}): HttpServer {
  const { log, trustedProxies, connectionsPerAddress, connectionTimes } = options
  const fastify = createFastify(log, {
    trustedProxies,
    connectionsPerAddress,
    connectionTimes,
  })
  const routes: Route[] = []
  const doorRoutes: DoorRoute[] = []
  const leaving = new AbortController()
  const held = new HeldBytes(fastify, options.httpMemoryBytes ?? defaultMemoryBytes)
  addBodyParsers(fastify, held)
  fastify.decorateRequest('caller')
  const limits = options.limits && new RequestLimits(options.limits, options.metrics, leaving.signal)
  const authenticate = limits ? authenticateWithin(limits, options.authenticate) : options.authenticate
  if (limits) limitStrangers(fastify, limits)
  measure(fastify, options.metrics)
  fastify.addHook('onClose', () => options.budget?.close())
  const server: HttpServer = {
    fastify,
    database: options.database,
    authenticate: (request) => withOutagesNamed(() => authenticate(request)),
    limits,
    budget: options.budget,
    secrets: options.secrets,
    held,
    routes,
    mount: (route, handler, options) => {
      routes.push(route)
      mountRoute(server, route, handler, options)
    },
    doorRoutes,
    mountDoor: (route, door) => {
      doorRoutes.push(route)
      mountDoorRoute(server, route, door)
    },
    drain: (ms) => {
      leaving.abort()
      return drain(fastify.server, ms)
    },
    leaving: leaving.signal,
  }
  return server
}

function measure(fastify: FastifyInstance, metrics: Metrics): void {
  const seconds = metrics.histogram({
    name: 'zonewright_http_request_seconds',
    help: 'Time from request to response. The label waited says whether the request waited for the nameservers (Prefer: wait).',
    labelNames: ['route', 'status', 'waited'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  })
  fastify.addHook('onResponse', async (request, reply) => {
    // A stream lasts as long as its client wants.
    if (reply.getHeader('content-type') === 'text/event-stream') return
    const { route: ofApi, door } = request.routeOptions.config
    const route = (ofApi ?? door)?.id ?? 'other'
    const waited = reply.hasHeader('preference-applied') ? 'yes' : 'no'
    seconds.observe({ route, status: String(reply.statusCode), waited }, reply.elapsedTime / 1000)
  })
}

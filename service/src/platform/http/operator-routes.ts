import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import type { Metrics } from '../figures/metrics.ts'
import type { Logger } from '../log.ts'
import type { Readiness } from '../postgres/index.ts'
import type { HostPort } from '../settings/configuration.ts'
import { briefly } from '../work/briefly.ts'
import type { Running } from '../work/process-life.ts'
import { createFastify } from './fastify.ts'

/** What operators and load balancers may request from a process. */
export interface OperatorContext {
  readonly metrics: Metrics
  /** The state of the database; undefined if no requests should be sent here. Called for each request, and does not wait. */
  readonly ready: () => Readiness | undefined
}

/**
 * `/healthz` (the process runs, and its clock) and `/readyz` (the process can be used), without a key.
 *
 * `/readyz` is 200 while reads work, and also says whether writes work. `/readyz?writes` is 503 unless both do.
 */
export function mountHealth(fastify: FastifyInstance, { ready }: Pick<OperatorContext, 'ready'>): void {
  fastify.get('/healthz', { config: { isUnlimited: true } }, async () => ({
    status: 'ok',
    time: new Date(),
  }))
  fastify.get('/readyz', { config: { isUnlimited: true } }, async ({ query }) => {
    const readiness = ready()
    const refuse = (why: string): Refusal => new Refusal('unavailable', why, { headers: { 'retry-after': '2' } })
    if (readiness === undefined) throw refuse('The service is starting, stopping, or cannot reach its database.')
    const { writes, since } = readiness
    if (writes !== 'ok' && 'writes' in (query as object))
      throw refuse(`The database has not stored changes since ${since.toISOString()}: ${writes}.`)
    return readiness
  })
}

/** A page of metrics is reused for this many times as long as it took to write, so that metrics use at most a tenth of the process. */
const figuresKept = 10

/** `/metrics`, for Prometheus. */
export function mountMetrics(fastify: FastifyInstance, { metrics }: Pick<OperatorContext, 'metrics'>): void {
  const figures = briefly(
    () => metrics.metrics(),
    (tookMs) => figuresKept * tookMs,
  )
  fastify.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await figures()))
}

/** A port for operators only: `/healthz`, `/readyz` and `/metrics` of this process, whichever part of the service it is. */
export async function startOperatorServer(
  listen: HostPort,
  context: OperatorContext,
  log: Logger,
): Promise<Running & { readonly port: number }> {
  const fastify = createFastify(log, { endsAbruptly: true })
  mountHealth(fastify, context)
  mountMetrics(fastify, context)
  await fastify.listen({ ...listen })
  log.info({ listen }, 'metrics are served')
  const { port } = fastify.server.address() as AddressInfo
  return { port, stop: () => fastify.close() }
}

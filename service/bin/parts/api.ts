import { keyAuthentication, mountKeyRoutes } from '#modules/api-keys/index.ts'
import { replicatedZones } from '#modules/publication/index.ts'
import { mountRecordRoutes } from '#modules/records/index.ts'
import { mountWebhookRoutes } from '#modules/webhooks/index.ts'
import { mountZoneRoutes } from '#modules/zones/index.ts'
import { textOf } from '#platform/configuration.ts'
import { sql } from '#platform/db.ts'
import { mountOperatorRoutes } from '#platform/http/operator-routes.ts'
import { createHttpServer, type HttpServer } from '#platform/http/server.ts'
import type { Running } from '#platform/process-life.ts'
import type { Platform } from './platform.ts'
import { webhookHttpOf } from './webhook-http.ts'

/** The HTTP API. */
export async function startApi(platform: Platform): Promise<Running & { readonly address: string }> {
  const { configuration, log } = platform
  const server = composeApi(platform)
  await server.fastify.listen({ ...configuration.httpListen })
  const address = `http://${textOf({ ...configuration.httpListen, port: portOf(server) })}`
  log.info({ address }, 'the API answers')
  return { address, stop: () => server.fastify.close() }
}

function portOf(server: HttpServer): number {
  const address = server.fastify.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Every route, on a server that does not listen yet. */
function composeApi(platform: Platform): HttpServer {
  const { configuration, database, log, metrics, secrets } = platform
  const nameservers = configuration.nameservers.map(({ name }) => name)
  const server = createHttpServer({ database, authenticate: keyAuthentication(database), log, metrics })
  mountZoneRoutes(server, { nameservers, serviceDomains: nameservers, replicated: replicatedZones })
  mountRecordRoutes(server, { nameservers })
  const http = webhookHttpOf(configuration)
  mountWebhookRoutes(server, { database, http, secrets })
  server.fastify.addHook('onClose', () => http.close())
  mountKeyRoutes(server)
  mountOperatorRoutes(server, { metrics, ready: () => answers(platform) })
  return server
}

async function answers({ database }: Platform): Promise<boolean> {
  return sql`select 1`.execute(database.db).then(
    () => true,
    () => false,
  )
}

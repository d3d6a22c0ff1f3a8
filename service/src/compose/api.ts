import { createDnsProbe } from '#adapters/dns/index.ts'
import { AccountBudgets, mountAccountRoutes, mountAuthRoutes, sessionAuthentication } from '#modules/accounts/index.ts'
import { authentication, mountKeyRoutes } from '#modules/api-keys/index.ts'
import { mountAuditRoutes } from '#modules/audit/index.ts'
import { mountChecklistRoutes } from '#modules/checklist/index.ts'
import { delegationStates, mountDelegationRoutes } from '#modules/delegation/index.ts'
import { closeAccount } from '#modules/erasure/index.ts'
import { mountPresetRoutes, readPresets } from '#modules/presets/index.ts'
import { mountPropagationRoutes } from '#modules/propagation/index.ts'
import { isServed, replicatedZones } from '#modules/publication/index.ts'
import { mountRecordRoutes } from '#modules/records/index.ts'
import { mountSharingRoutes } from '#modules/sharing/index.ts'
import { mountSubdomainRoutes } from '#modules/subdomains/index.ts'
import { mountWebhookRoutes } from '#modules/webhooks/index.ts'
import { mountZoneRoutes, parseZoneRef } from '#modules/zones/index.ts'
import { textOf } from '#platform/configuration.ts'
import { mountDashboard } from '#platform/http/dashboard-routes.ts'
import { mountHealth, mountMetrics } from '#platform/http/operator-routes.ts'
import { mountReference } from '#platform/http/reference/mount-reference.ts'
import { createHttpServer, type HttpServer } from '#platform/http/server.ts'
import type { Running } from '#platform/process-life.ts'
import { accountMailsOf, authOf } from './auth.ts'
import { mountCommerceRoutes } from './commerce.ts'
import { delegationSources } from './delegation-sources.ts'
import { showInstallation } from './installation-figures.ts'
import type { Platform } from './platform.ts'
import { verificationOf } from './verification.ts'
import { webhookHttpOf } from './webhook-http.ts'

/** The HTTP API. Told to stop, it first says that it is not ready, and goes on answering for DRAIN_SECONDS. */
export async function startApi(platform: Platform): Promise<Running & { readonly address: string }> {
  const { configuration, log } = platform
  let isLeaving = false
  const server = composeApi(platform, async () => !isLeaving && (await platform.isReady()))
  await server.fastify.listen({ ...configuration.httpListen })
  const address = `http://${textOf({ ...configuration.httpListen, port: portOf(server) })}`
  log.info({ address }, 'the API answers')
  return {
    address,
    stop: async () => {
      isLeaving = true
      await server.drain(configuration.drainMs)
      await server.fastify.close()
    },
  }
}

function portOf(server: HttpServer): number {
  const address = server.fastify.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Every route, on a server that does not listen yet. */
function composeApi(platform: Platform, ready: () => Promise<boolean>): HttpServer {
  const { configuration, database, log, metrics, secrets } = platform
  const nameservers = configuration.nameservers.map(({ name }) => name)
  const mails = accountMailsOf(platform)
  const auth = authOf(platform, mails)
  const sessions = sessionAuthentication(auth, configuration.publicUrl)
  const { trustedProxies, connectionsPerAddress, httpMemoryBytes } = configuration
  const authenticate = authentication(database, sessions)
  const limits = { signedSession: auth.signedSession }
  const budget = new AccountBudgets(database.db, log)
  const server = createHttpServer({
    database,
    authenticate,
    secrets,
    log,
    metrics,
    trustedProxies,
    connectionsPerAddress,
    httpMemoryBytes,
    limits,
    budget,
  })
  server.fastify.addHook('onReady', () => auth.load())
  const verification = verificationOf(platform)
  const { freeParents } = configuration
  const health = { replicated: replicatedZones, delegations: delegationStates }
  mountZoneRoutes(server, { ...verification, ...health })
  mountSharingRoutes(server, { ...verification, ...health })
  mountSubdomainRoutes(server, { ...verification, freeParents, ...health })
  mountRecordRoutes(server, { nameservers, isServed })
  const presets = readPresets(configuration.presetsDir)
  for (const fault of presets.faults) log.warn(`PRESETS_DIR: ${fault}`)
  mountPresetRoutes(server, presets, isServed)
  const sources = delegationSources(platform)
  mountDelegationRoutes(server, { nameservers, ...sources })
  const probing = { probe: createDnsProbe(), resolvers: configuration.resolvers }
  mountPropagationRoutes(server, probing)
  mountChecklistRoutes(server, { ...probing, nameservers })
  mountCommerceRoutes(server, platform, auth.codes)
  const http = webhookHttpOf(configuration)
  mountWebhookRoutes(server, { http, secrets })
  showInstallation(platform)
  server.fastify.addHook('onClose', async () => {
    await Promise.all([http.close(), sources.registry.close()])
  })
  mountKeyRoutes(server, { codes: auth.codes, secrets, site: configuration.publicUrl })
  mountAccountRoutes(server, { auth, mails, alsoDelete: closeAccount, secrets, site: configuration.publicUrl })
  mountAuditRoutes(server, parseZoneRef)
  mountAuthRoutes(server, auth, configuration.publicUrl)
  const home = mountDashboard(server, configuration.dashboardDir)
  mountReference(server, home)
  mountHealth(server.fastify, { ready })
  if (configuration.metricsListen === undefined) mountMetrics(server.fastify, { metrics })
  return server
}

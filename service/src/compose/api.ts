import { createHttpServer } from '#http/create-server.ts'
import type { HttpServer } from '#http/server.ts'
import { AccountBudgets, type AccountMails, type Passwords, sessionAuthentication } from '#modules/accounts/index.ts'
import { authentication } from '#modules/api-keys/index.ts'
import type { IndexLimits } from '#modules/search/index.ts'
import type { UpdateTimes } from '#modules/updates/index.ts'
import type { RequestLimitsOptions } from '#platform/http/request-limits.ts'
import { textOf } from '#platform/settings/configuration.ts'
import type { Running } from '#platform/work/process-life.ts'
import { accountMailsOf, authOf } from './auth.ts'
import { showInstallation } from './installation-figures.ts'
import { mountPages } from './mount-pages.ts'
import { mountRoutes } from './mount-routes.ts'
import { type Outside, outsideOf } from './outside.ts'
import type { Parts } from './parts.ts'
import type { Platform } from './platform.ts'

/** The HTTP API. On stop, it first reports that it is not ready, and continues to answer for DRAIN_SECONDS. */
export async function startApi(platform: Platform): Promise<Running & { readonly address: string }> {
  const { configuration, log } = platform
  const outside = outsideOf(configuration, platform.registries)
  const server = composeApi(platform, outside)
  let isLeaving = false
  mountPages(server, platform, () => (isLeaving ? undefined : platform.readiness()))
  showInstallation(platform)
  await server.fastify.listen({ ...configuration.httpListen })
  const address = `http://${textOf({ ...configuration.httpListen, port: portOf(server) })}`
  log.info({ address }, 'the API answers')
  return {
    address,
    stop: async () => {
      isLeaving = true
      await server.drain(configuration.drainMs)
      await server.fastify.close()
      await outside.close()
    },
  }
}

function portOf(server: HttpServer): number {
  const address = server.fastify.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The differences between the API of a test and that of an installation. */
export interface ApiDifferences {
  /** By default, emails are queued. */
  readonly mails?: AccountMails
  /** By default scrypt, which takes a tenth of a second. */
  readonly passwords?: Passwords
  /** Maximum number of requests per minute for a key. */
  readonly keyRequestsPerMinute?: number
  /** The limits of sessions, addresses and calls that query other servers. `none` turns them off. */
  readonly requestLimits?: RequestLimitsOptions['limits'] | 'none'
  /** See `MountParts`. */
  readonly keptBelowMaxAgeMs?: number
  readonly updateTimes?: UpdateTimes
  readonly searchLimits?: IndexLimits
}

/**
 * A server with every route of the contract, not listening yet.
 *
 * @throws CannotStart if a route of the contract is not mounted
 */
export function composeApi(parts: Parts, outside: Outside, differences: ApiDifferences = {}): HttpServer {
  const { configuration, database, log, metrics, secrets } = parts
  const { mails = accountMailsOf(parts), passwords, keyRequestsPerMinute, requestLimits, ...rest } = differences
  const auth = authOf(parts, mails, { passwords, providers: outside.signInProviders })
  const sessions = sessionAuthentication(auth, configuration.publicUrl)
  const { trustedProxies, connectionsPerAddress, httpMemoryBytes } = configuration
  const server = createHttpServer({
    database,
    authenticate: authentication(
      database,
      sessions,
      keyRequestsPerMinute === undefined ? {} : { requestsPerMinute: keyRequestsPerMinute },
    ),
    secrets,
    log,
    metrics,
    trustedProxies,
    connectionsPerAddress,
    httpMemoryBytes,
    ...(requestLimits !== 'none' && { limits: { signedSession: auth.signedSession, limits: requestLimits } }),
    budget: new AccountBudgets(database.db, log),
  })
  server.fastify.addHook('onReady', () => auth.load())
  mountRoutes(server, { ...parts, outside, auth, mails, ...rest })
  return server
}

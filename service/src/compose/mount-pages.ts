import { sessionCookie } from '@zonewright/contract'
import { mountDashboard } from '#http/dashboard-routes.ts'
import { mountReference } from '#http/reference/mount-reference.ts'
import type { HttpServer } from '#http/server.ts'
import type { FoundName } from '#http/site/landing-page.ts'
import { mountSite } from '#http/site/mount-site.ts'
import { nairaText } from '#modules/billing/index.ts'
import { searchNames } from '#modules/tlds/index.ts'
import { mountHealth, mountMetrics, type OperatorContext } from '#platform/http/operator-routes.ts'
import { nameserversOf, tldsOf } from './parts.ts'
import type { Platform } from './platform.ts'

/** Serves what an installation has in addition to the API: the site, the dashboard, the reference, health and metrics. */
export function mountPages(
  server: HttpServer,
  platform: Pick<Platform, 'configuration' | 'metrics' | 'registries'>,
  ready: OperatorContext['ready'],
): void {
  const { configuration, metrics } = platform
  const { dashboardDir: folder, brand, signInProviders } = configuration
  mountDashboard(server, folder, brand, signInProviders)
  mountReference(server, folder === undefined ? undefined : null)
  if (folder !== undefined) mountSite(server, { folder, brand, ...shopOf(platform), isSignedIn })
  mountHealth(server.fastify, { ready })
  if (configuration.metricsListen === undefined) mountMetrics(server.fastify, { metrics })
}

/** What people who are not signed in see about the available TLDs. */
function shopOf({ configuration, registries }: Pick<Platform, 'configuration' | 'registries'>) {
  const tlds = tldsOf({ configuration })
  const nameservers = nameserversOf({ configuration })
  return {
    prices: tlds.map(({ tld, registerKobo, renewKobo }) => ({
      tld,
      register: nairaText(registerKobo),
      renew: nairaText(renewKobo),
    })),
    search: async (text: string): Promise<FoundName[]> =>
      (await searchNames({ tlds, registries, nameservers }, text)).map((found) => ({
        name: found.name,
        available: found.available,
        isTaken: found.reason === 'taken',
        message: found.message,
        register: found.register_kobo === null ? null : nairaText(found.register_kobo),
        renew: found.renew_kobo === null ? null : nairaText(found.renew_kobo),
      })),
  }
}

/** Someone with a session cookie goes to the dashboard, which checks whether the session still exists. */
function isSignedIn(cookie: string | undefined): boolean {
  return cookie?.includes(`${sessionCookie}=`) === true
}

import { kobo, mountBillingRoutes } from '#modules/billing/index.ts'
import { mountContactRoutes } from '#modules/contacts/index.ts'
import { listPriceOf, mountTldRoutes } from '#modules/tlds/index.ts'
import type { HttpServer } from '#platform/http/server.ts'
import type { Platform } from './platform.ts'

/** The routes by which domains are sold. */
export function mountCommerceRoutes(server: HttpServer, { configuration, registries }: Platform): void {
  const tlds = configuration.registries.flatMap((registry) => registry.tlds)
  mountTldRoutes(server, { tlds, registries })
  mountContactRoutes(server)
  mountBillingRoutes(server, {
    priceOf: (kind, name, years) => {
      const { tld, price } = listPriceOf(tlds, kind, name, years)
      return { tld, price: kobo(price) }
    },
  })
}

import { kobo, mountBillingRoutes } from '#modules/billing/index.ts'
import { mountContactRoutes } from '#modules/contacts/index.ts'
import { listPriceOf, mountTldRoutes } from '#modules/tlds/index.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { parseRegistries, sandboxRegistries } from '#platform/registries-setting.ts'
import { TestRegistry } from './test-registry.ts'

/** The routes by which domains are sold, and the registry behind them. */
export function mountTestCommerce(server: HttpServer): TestRegistry {
  const tlds = parseRegistries(sandboxRegistries).flatMap((registry) => registry.tlds)
  const registry = new TestRegistry(tlds.map(({ tld }) => tld))
  mountTldRoutes(server, { tlds, registries: registry })
  mountContactRoutes(server)
  mountBillingRoutes(server, {
    priceOf: (kind, name, years) => {
      const { tld, price } = listPriceOf(tlds, kind, name, years)
      return { tld, price: kobo(price) }
    },
  })
  return registry
}

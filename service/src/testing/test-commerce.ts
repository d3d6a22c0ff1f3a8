import { createEppRegistries } from '#adapters/epp/index.ts'
import { createPaystack } from '#adapters/paystack/index.ts'
import type { Auth } from '#modules/accounts/index.ts'
import { kobo, mountBillingRoutes } from '#modules/billing/index.ts'
import { mountContactRoutes } from '#modules/contacts/index.ts'
import { mountActRoutes, mountDomainRoutes } from '#modules/domains/index.ts'
import { mountOrderRoutes, mountPaymentRoutes, type OrderWork } from '#modules/orders/index.ts'
import { listPriceOf, mountTldRoutes } from '#modules/tlds/index.ts'
import { type Delegate, giveBoughtZone } from '#modules/zones/index.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { createLogger } from '#platform/log.ts'
import { parseRegistries, sandboxRegistries } from '#platform/registries-setting.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Payments } from '#ports/payments.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

/** The routes by which domains are sold, over EPP from a registry of the sandbox's; and what the worker's part runs with. */
export function mountTestCommerce(
  server: HttpServer,
  parts: {
    secrets: SecretBox
    nameservers: readonly string[]
    site: string
    delegate: Delegate
    /** Undefined: no gateway runs, and none answers. */
    payments: Payments | undefined
    codes: Auth['codes']
    /** Undefined: no registry is connected. */
    registry: SandboxRegistry | undefined
  },
): OrderWork {
  const { database } = server
  const { secrets, nameservers, site, delegate } = parts
  const log = createLogger('orders', process.env.LOG_LEVEL ?? 'silent')
  const payments = parts.payments ?? createPaystack({ url: 'http://127.0.0.1:9', secretKey: 'sk_test_none' })
  const tlds = parseRegistries(sandboxRegistries).flatMap((registry) => registry.tlds)
  const registries = createEppRegistries(parts.registry ? [parts.registry.settingsOf('zonewright')] : [], quiet)
  server.fastify.addHook('onClose', () => registries.close())
  mountTldRoutes(server, { tlds, registries, nameservers })
  mountContactRoutes(server)
  mountDomainRoutes(server, { secrets, site })
  mountActRoutes(server, { tlds, registries, secrets, codes: parts.codes, nameservers, log })
  mountBillingRoutes(server, {
    priceOf: (kind, name, years) => {
      const { tld, price } = listPriceOf(tlds, kind, name, years)
      return { tld, price: kobo(price) }
    },
  })
  mountOrderRoutes(server, { tlds, registries, secrets, nameservers, site })
  mountPaymentRoutes(server, { payments, secrets, site })
  const giveZone: OrderWork['giveZone'] = (tx, actor, accountId, name) =>
    giveBoughtZone(tx, { delegate, secrets, site, nameservers }, { actor, accountId }, name)
  return { database, registries, secrets, giveZone, log }
}

const quiet = { info: () => undefined, warn: () => undefined }

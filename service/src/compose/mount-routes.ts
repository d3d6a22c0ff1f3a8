import { isPublicAddress } from '#adapters/webhook-http/guard.ts'
import type { HttpServer } from '#http/server.ts'
import { type AccountMails, type Auth, mountAccountRoutes, mountAuthRoutes } from '#modules/accounts/index.ts'
import { mountAcmeDoors } from '#modules/acme-doors/index.ts'
import { resolveTargetsWith, TargetLookup } from '#modules/alias/index.ts'
import { mountKeyRoutes } from '#modules/api-keys/index.ts'
import { mountAuditRoutes } from '#modules/audit/index.ts'
import { kobo, mountBillingRoutes } from '#modules/billing/index.ts'
import { mountCardRoutes } from '#modules/cards/index.ts'
import { mountChecklistRoutes } from '#modules/checklist/index.ts'
import { mountContactRoutes } from '#modules/contacts/index.ts'
import { delegationStates, mountDelegationRoutes } from '#modules/delegation/index.ts'
import { mountDomainConnectRoutes, readConnectTemplates } from '#modules/domain-connect/index.ts'
import { mountChangeRoutes, mountDomainRoutes } from '#modules/domains/index.ts'
import { Doors } from '#modules/doors/index.ts'
import { mountDynamicDns } from '#modules/dynamic-dns/index.ts'
import { closeAccount } from '#modules/erasure/index.ts'
import { mountOrderRoutes, mountPaymentRoutes } from '#modules/orders/index.ts'
import { mountPlanRoutes } from '#modules/plans/index.ts'
import { mountPowerdnsDoor } from '#modules/powerdns-door/index.ts'
import { mountPresetRoutes, readPresets } from '#modules/presets/index.ts'
import { mountPropagationRoutes } from '#modules/propagation/index.ts'
import { isServed, replicatedZones } from '#modules/publication/index.ts'
import { mountRecordRoutes, RecordWriter } from '#modules/records/index.ts'
import { mountScanRoutes } from '#modules/scans/index.ts'
import { type IndexLimits, mountSearchRoutes } from '#modules/search/index.ts'
import { mountSecondaryRoutes } from '#modules/secondaries/index.ts'
import { mountSharingRoutes } from '#modules/sharing/index.ts'
import { mountSubdomainRoutes } from '#modules/subdomains/index.ts'
import { listPriceOf, mountTldRoutes } from '#modules/tlds/index.ts'
import { mountUpdateRoutes, type UpdateTimes } from '#modules/updates/index.ts'
import { mountWebhookRoutes } from '#modules/webhooks/index.ts'
import { mountZoneRoutes, parseZoneRef } from '#modules/zones/index.ts'
import type { Outside } from './outside.ts'
import { nameserversOf, type Parts, tldsOf } from './parts.ts'
import { reachOf } from './reach.ts'
import { requireRoutes } from './require-routes.ts'
import { verificationOf } from './zone-parts.ts'

/** The dependencies of the routes. */
export interface MountParts extends Parts {
  readonly outside: Outside
  readonly auth: Auth
  readonly mails: AccountMails
  /** How long the list of names that are kept from others is reused. The module's default if omitted. */
  readonly keptBelowMaxAgeMs?: number
  /** The module's default if omitted. */
  readonly updateTimes?: UpdateTimes
  /** The module's default if omitted. */
  readonly searchLimits?: IndexLimits
}

/** Time limit for looking up the name of a secondary. */
const hostLookupMs = 2_000

/**
 * Mounts every route of the contract, of the doors and of sign-in.
 *
 * @throws CannotStart if a route is missing
 */
export function mountRoutes(server: HttpServer, parts: MountParts): void {
  const { auth, configuration, log, mails, outside, secrets } = parts
  const { codes } = auth
  const { freeParents, publicUrl: site, resolvers, savedCards } = configuration
  const { dnsProbe: probe, payments, registries, webhookHttp: http } = outside
  const nameservers = nameserversOf(parts)
  const tlds = tldsOf(parts)
  const lookup = new TargetLookup(parts.database, outside.addressResolver)
  const resolveTargets = resolveTargetsWith(parts.database, lookup)
  const presets = readPresets(configuration.presetsDir)
  for (const fault of presets.faults) log.warn(`PRESETS_DIR: ${fault}`)
  const zones = {
    ...verificationOf(parts, outside),
    replicated: replicatedZones,
    delegations: delegationStates,
    presetIds: [...presets.presets.keys()],
  }
  const mayReach = reachOf(configuration)
  const catalogue = readConnectTemplates(configuration.domainConnectDir)
  for (const fault of catalogue.faults) log.warn(`DOMAIN_CONNECT_DIR: ${fault}`)

  mountZoneRoutes(server, zones)
  mountSharingRoutes(server, zones)
  mountSubdomainRoutes(server, {
    ...zones,
    freeParents,
    ...(parts.keptBelowMaxAgeMs !== undefined && { keptBelowMaxAgeMs: parts.keptBelowMaxAgeMs }),
  })
  const writer = new RecordWriter(server.database, isServed, resolveTargets)
  mountRecordRoutes(server, { nameservers, writer })
  mountPresetRoutes(server, presets, { writer })
  mountPlanRoutes(server, presets, { writer })
  mountDomainConnectRoutes(server, {
    ...{ catalogue, site, nameservers, writer },
    setting: configuration.domainConnect,
    resolver: outside.resolver,
  })
  mountDelegationRoutes(server, {
    ...{ nameservers, secrets, site },
    parentDns: outside.parentDns,
    registry: outside.registryLookup,
  })
  mountSecondaryRoutes(server, {
    delegate: zones.delegate,
    door: configuration.doorAddress,
    mayReach,
    ownServers: [...configuration.nameservers, configuration.doorAddress],
    nameservers,
    hasAddress: async (host) => typeof (await lookup.addresses(host, hostLookupMs)) !== 'string',
  })
  mountScanRoutes(server)
  mountPropagationRoutes(server, { probe, resolvers, mayReach })
  mountChecklistRoutes(server, { probe, resolvers, nameservers })
  mountTldRoutes(server, { tlds, registries, nameservers })
  mountContactRoutes(server)
  mountDomainRoutes(server, { secrets, site })
  mountChangeRoutes(server, { tlds, registries, secrets, codes, nameservers, log })
  mountBillingRoutes(server, {
    priceOf: (kind, name, years) => {
      const { tld, price } = listPriceOf(tlds, kind, name, years)
      return { tld, price: kobo(price) }
    },
  })
  mountOrderRoutes(server, { tlds, registries, secrets, nameservers, site })
  mountPaymentRoutes(server, { payments, secrets, site, savedCards })
  mountCardRoutes(server, { savedCards })
  mountWebhookRoutes(server, { http, secrets, sourceAddresses: configuration.webhookSourceAddresses ?? [] })
  mountKeyRoutes(server, { codes, secrets, site, door: configuration.doorAddress })
  mountAccountRoutes(server, { auth, mails, alsoDelete: closeAccount, secrets, log, site })
  mountAuditRoutes(server, parseZoneRef)
  mountSearchRoutes(server, { metrics: parts.metrics, limits: parts.searchLimits })
  mountUpdateRoutes(server, { log, metrics: parts.metrics, times: parts.updateTimes })
  mountAuthRoutes(server, auth, site)
  const doors = new Doors(server, { secrets, site })
  mountDynamicDns(server, doors, { isPublic: isPublicAddress })
  mountAcmeDoors(server, doors, { isServed, site })
  mountPowerdnsDoor(server, doors, { ...zones, writer })
  requireRoutes([...server.routes, ...server.doorRoutes])
}

import { accountRoutes } from './accounts.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { auditRoutes } from './audit.ts'
import { billingRoutes } from './billing.ts'
import { cardRoutes } from './cards.ts'
import { checklistRoutes } from './checklist.ts'
import { contactRoutes } from './contacts.ts'
import { delegationRoutes } from './delegation.ts'
import { domainConnectRoutes } from './domain-connect.ts'
import { domainRoutes } from './domains.ts'
import { paymentRoutes } from './order-payments.ts'
import { quoteRoutes } from './order-quotes.ts'
import { orderRoutes } from './orders.ts'
import { planRoutes } from './plans.ts'
import { presetRoutes } from './presets.ts'
import { propagationRoutes } from './propagation.ts'
import { versionRoutes } from './record-versions.ts'
import { rrsetRoutes } from './records.ts'
import type { Route } from './route.ts'
import { scanRoutes } from './scans.ts'
import { searchRoutes } from './search.ts'
import { secondaryRoutes } from './secondaries.ts'
import { sharingRoutes } from './sharing.ts'
import { subdomainRoutes } from './subdomains.ts'
import type { Tag } from './tags.ts'
import { tldRoutes } from './tlds.ts'
import { updateRoutes } from './updates.ts'
import { webhookRoutes } from './webhooks.ts'
import { zoneRoutes } from './zones.ts'

export * from './accounts.ts'
export * from './api-keys.ts'
export * from './audit.ts'
export * from './billing.ts'
export * from './cards.ts'
export * from './checklist.ts'
export * from './contacts.ts'
export * from './delegation.ts'
export * from './domain-connect.ts'
export * from './domains.ts'
export * from './order-payments.ts'
export * from './order-quotes.ts'
export * from './orders.ts'
export * from './plans.ts'
export * from './presets.ts'
export * from './propagation.ts'
export * from './record-versions.ts'
export * from './records.ts'
export * from './scans.ts'
export * from './search.ts'
export * from './secondaries.ts'
export * from './sharing.ts'
export * from './subdomains.ts'
export * from './tlds.ts'
export * from './updates.ts'
export * from './webhooks.ts'
export * from './zones.ts'

/** Routes that one module of the service mounts, and their heading in the API reference. */
export interface RouteGroup {
  readonly tag: Tag
  /** By id. */
  readonly routes: Readonly<Record<string, Route>>
}

/**
 * Every route of the API, by the module of the service that mounts it, in the order of the API reference.
 *
 * All lists of routes derive from this one: ids and types of the dashboard's client, the OpenAPI document and its tags,
 * docs/reference/routes.md, and the check that the service mounts every route.
 */
export const routeGroups = {
  zones: { tag: 'Zones', routes: zoneRoutes },
  sharing: { tag: 'Zones', routes: sharingRoutes },
  subdomains: { tag: 'Zones', routes: subdomainRoutes },
  records: { tag: 'Records', routes: { ...rrsetRoutes, ...versionRoutes } },
  presets: { tag: 'Records', routes: presetRoutes },
  plans: { tag: 'Records', routes: planRoutes },
  'domain-connect': { tag: 'Records', routes: domainConnectRoutes },
  secondaries: { tag: 'Zones', routes: secondaryRoutes },
  propagation: { tag: 'Zones', routes: propagationRoutes },
  delegation: { tag: 'Zones', routes: delegationRoutes },
  scans: { tag: 'Zones', routes: scanRoutes },
  checklist: { tag: 'Zones', routes: checklistRoutes },
  tlds: { tag: 'Domains', routes: tldRoutes },
  contacts: { tag: 'Domains', routes: contactRoutes },
  domains: { tag: 'Domains', routes: domainRoutes },
  orders: { tag: 'Orders', routes: { ...quoteRoutes, ...orderRoutes, ...paymentRoutes } },
  cards: { tag: 'Credit', routes: cardRoutes },
  billing: { tag: 'Credit', routes: billingRoutes },
  webhooks: { tag: 'Webhooks', routes: webhookRoutes },
  'api-keys': { tag: 'Keys', routes: apiKeyRoutes },
  accounts: { tag: 'Account', routes: accountRoutes },
  audit: { tag: 'Account', routes: auditRoutes },
  search: { tag: 'Search', routes: searchRoutes },
  updates: { tag: 'Account', routes: updateRoutes },
} as const satisfies Readonly<Record<string, RouteGroup>>

type All<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer Whole) => void
  ? Whole
  : never

/** The route of each id. */
export type RouteTable = All<(typeof routeGroups)[keyof typeof routeGroups]['routes']>

/** The id of a route: its operationId in the OpenAPI document. */
export type RouteId = keyof RouteTable

import { accountRoutes } from './accounts.ts'
import { keyRoutes } from './api-keys.ts'
import { auditRoutes } from './audit.ts'
import { billingRoutes } from './billing.ts'
import { checklistRoutes } from './checklist.ts'
import { contactRoutes } from './contacts.ts'
import { delegationRoutes } from './delegation.ts'
import { domainRoutes } from './domains.ts'
import { type EventType, eventSchemaOf, eventTypes } from './event-types.ts'
import { openApiDocument, type Webhook } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'
import { paymentRoutes } from './order-payments.ts'
import { quoteRoutes } from './order-quotes.ts'
import { orderRoutes } from './orders.ts'
import { presetRoutes } from './presets.ts'
import { propagationRoutes } from './propagation.ts'
import { versionRoutes } from './record-versions.ts'
import { rrsetRoutes } from './records.ts'
import type { Route } from './route.ts'
import { sharingRoutes } from './sharing.ts'
import { subdomainRoutes } from './subdomains.ts'
import { tldRoutes } from './tlds.ts'
import { webhookRoutes } from './webhooks.ts'
import { zoneRoutes } from './zones.ts'

/** The whole route table, in the order of the reference page. */
export const routes: readonly Route[] = [
  ...Object.values(zoneRoutes),
  ...Object.values(sharingRoutes),
  ...Object.values(subdomainRoutes),
  ...Object.values(rrsetRoutes),
  ...Object.values(versionRoutes),
  ...Object.values(presetRoutes),
  ...Object.values(propagationRoutes),
  ...Object.values(delegationRoutes),
  ...Object.values(checklistRoutes),
  ...Object.values(tldRoutes),
  ...Object.values(contactRoutes),
  ...Object.values(domainRoutes),

  ...Object.values(quoteRoutes),
  ...Object.values(orderRoutes),
  ...Object.values(paymentRoutes),
  ...Object.values(billingRoutes),
  ...Object.values(webhookRoutes),
  ...Object.values(keyRoutes),
  ...Object.values(accountRoutes),
  ...Object.values(auditRoutes),
]

const webhooks: readonly Webhook[] = (Object.keys(eventTypes) as EventType[]).map((type) => ({
  name: type,
  summary: eventTypes[type],
  body: eventSchemaOf(type),
}))

/** The API's OpenAPI document: served at `/api/v1/openapi.json`, and kept in the repository so that its changes are reviewed. */
export function apiDocument(): Json {
  return openApiDocument(routes, webhooks, {
    title: 'Zonewright API',
    version: '1',
    description: 'DNS zones, domains and webhooks. Errors come as `{"error": {code, message, request_id, details}}`.',
  })
}

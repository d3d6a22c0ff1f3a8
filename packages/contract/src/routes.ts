import { sampleOf } from './event-samples.ts'
import { type EventType, eventSchemaOf, eventTypes } from './event-types.ts'
import { event } from './examples.ts'
import { openApiDocument, type Webhook } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'
import type { Route } from './route.ts'
import { type RouteGroup, routeGroups } from './route-groups.ts'

const groups: readonly RouteGroup[] = Object.values(routeGroups)

/** The whole route table, in the order of the reference page. */
export const routes: readonly Route[] = groups.flatMap((group) => Object.values(group.routes))

const webhooks: readonly Webhook[] = (Object.keys(eventTypes) as EventType[]).map((type) => ({
  name: type,
  summary: eventTypes[type],
  body: eventSchemaOf(type),
  example: { ...event, type, data: sampleOf(type) as Json },
}))

/** The API's OpenAPI document: served at `/api/v1/openapi.json`, and kept in the repository so that its changes are reviewed. */
export function apiDocument(): Json {
  return openApiDocument(groups, webhooks, {
    title: 'Zonewright API',
    version: '1',
    description:
      'Manage DNS zones, domains and webhooks. Every error has the form `{"error": {code, message, request_id, details}}`. Amounts whose names end in `_kobo` are in kobo. One naira is 100 kobo.',
    contact: { name: 'Zonewright' },
    license: { name: 'Proprietary, all rights reserved', identifier: 'LicenseRef-Proprietary' },
  })
}

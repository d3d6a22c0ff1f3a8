import { keyRoutes } from './keys.ts'
import type { Route } from './route.ts'
import { rrsetRoutes } from './rrsets.ts'
import { webhookRoutes } from './webhooks.ts'
import { zoneRoutes } from './zones.ts'

/** The whole route table, in the order of the reference page. */
export const routes: readonly Route[] = [
  ...Object.values(zoneRoutes),
  ...Object.values(rrsetRoutes),
  ...Object.values(webhookRoutes),
  ...Object.values(keyRoutes),
]

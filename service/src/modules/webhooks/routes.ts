import { type WireEndpoint, webhookRoutes } from '@zonewright/contract'
import type { Database } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { anyText, decodeCursor, pageFrom } from '#platform/http/cursor.ts'
import { apiPrefix, mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { faultsOfEvents } from './rules.ts'
import { type Endpoint, listEndpoints, readEndpoint } from './store.ts'

/** What the webhook routes need from outside their module. */
export interface WebhookRoutesContext {
  readonly database: Database
  readonly http: WebhookHttp
  readonly secrets: SecretBox
}

export function mountWebhookRoutes(server: HttpServer, { database, http, secrets }: WebhookRoutesContext): void {
  const { db } = database

  mount(server, webhookRoutes.listWebhooks, async ({ caller, query }) => {
    const [after = ''] = decodeCursor(query.cursor, [anyText]) ?? []
    const rows = await listEndpoints(db, caller.accountId, after, query.limit + 1)
    const page = pageFrom(rows, query.limit, (endpoint) => [endpoint.id])
    return { status: 200, body: { data: page.rows.map(endpointToWire), next_cursor: page.nextCursor } }
  })

  mount(server, webhookRoutes.createWebhook, async ({ caller, actor, body, transact }) => {
    const { url, events = null, description = '' } = body
    const details = faultsOfEvents(events ?? [])
    if (!URL.canParse(url)) details.unshift({ path: '/url', code: 'invalid_url', message: 'This is no URL.' })
    if (details.length > 0)
      throw new Refusal('validation_failed', 'The endpoint cannot be made like this.', { details })
    // Before the transaction, which must not wait for the network.
    const refusal = await http.refusal(url)
    if (refusal !== null)
      throw new Refusal('address_not_public', refusal, {
        details: [{ path: '/url', code: 'address_not_public', message: refusal }],
      })
    return transact(async (tx) => {
      const wanted = { accountId: caller.accountId, url, events, description }
      const { endpoint, secret } = await createEndpoint(tx, { actor, secrets }, wanted)
      return {
        status: 201,
        body: { ...endpointToWire(endpoint), secret },
        headers: { location: `${apiPrefix}/webhooks/${endpoint.id}` },
      }
    })
  })

  mount(server, webhookRoutes.getWebhook, async ({ caller, params }) => {
    const endpoint = await readEndpoint(db, caller.accountId, params.id)
    if (endpoint === undefined) throw noSuchEndpoint()
    return { status: 200, body: endpointToWire(endpoint) }
  })

  mount(server, webhookRoutes.deleteWebhook, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      if (!(await deleteEndpoint(tx, actor, caller.accountId, params.id))) throw noSuchEndpoint()
      return { status: 204 }
    }),
  )
}

function noSuchEndpoint(): Refusal {
  return new Refusal('not_found', 'There is no such webhook endpoint.')
}

function endpointToWire(endpoint: Endpoint): WireEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events && [...endpoint.events],
    description: endpoint.description,
    state: endpoint.state,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    disabled_reason: endpoint.disabledReason,
    status: endpoint.status,
    last_status: endpoint.lastStatus,
    created_at: endpoint.createdAt.toISOString(),
  }
}

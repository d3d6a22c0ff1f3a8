import { webhookRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { changeEndpoint } from './change-endpoint.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { mountDeliveryRoutes } from './delivery-routes.ts'
import { skipAllNow } from './disable-endpoint.ts'
import { noSuchEndpoint } from './own-endpoint.ts'
import { rotateSecret } from './rotate-secret.ts'
import { outcomeOfTest, publishTest } from './sample-delivery.ts'
import { listEndpoints, readEndpoint } from './store.ts'
import { endpointToWire } from './wire.ts'

/** What the webhook routes need from other modules. */
export interface WebhookRoutesContext {
  readonly http: WebhookHttp
  readonly secrets: SecretBox
  /** The addresses and networks that requests come from; none: they are not published. */
  readonly sourceAddresses: readonly string[]
}

export function mountWebhookRoutes(server: HttpServer, context: WebhookRoutesContext): void {
  const { http, secrets, sourceAddresses } = context
  const { db } = server.database
  const stopping = new AbortController()
  // A test call that still waits must not delay a process that stops.
  server.fastify.addHook('preClose', async () => stopping.abort())
  mountDeliveryRoutes(server)

  server.mount(webhookRoutes.listWebhooks, async ({ caller, query, list }) => {
    const [after = ''] = list.after('text') ?? []
    const rows = await listEndpoints(db, caller.accountId, after, query.limit + 1)
    const page = list.page(rows, (endpoint) => [endpoint.id])
    return { status: 200, body: { data: page.rows.map(endpointToWire), next_cursor: page.nextCursor } }
  })

  server.mount(webhookRoutes.createWebhook, async ({ caller, actor, body, transact }) => {
    const { url, events = null, zones = null, headers = [], description = '' } = body
    await checkEndpoint(http, body)
    return transact(async (tx) => {
      const wanted = { accountId: caller.accountId, url, events, zones, headers, description }
      const { endpoint, secret } = await createEndpoint(tx, { actor, secrets }, wanted)
      return {
        status: 201,
        body: { ...endpointToWire(endpoint), secret },
        location: `/webhooks/${endpoint.id}`,
      }
    })
  })

  server.mount(webhookRoutes.getWebhook, async ({ caller, params }) => {
    const endpoint = await readEndpoint(db, caller.accountId, params.id)
    if (endpoint === undefined) throw noSuchEndpoint()
    return { status: 200, body: endpointToWire(endpoint) }
  })

  server.mount(
    webhookRoutes.changeWebhook,
    async ({ caller: { accountId }, actor, params: { id }, body, transact }) => {
      await checkEndpoint(http, body)
      const before = body.state && (await readEndpoint(db, accountId, id))
      // Deliveries that a dead worker has not skipped must not be sent because the endpoint is turned on.
      if (body.state === 'enabled' && before?.state === 'disabled') await skipAllNow(server.database, id)
      const answer = await transact(async (tx) => ({
        status: 200,
        body: endpointToWire(await changeEndpoint(tx, { actor, secrets }, { accountId, id }, body)),
      }))
      if (body.state === 'disabled' && before?.state === 'enabled') await skipAllNow(server.database, id)
      return answer
    },
  )

  server.mount(webhookRoutes.deleteWebhook, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      await deleteEndpoint(tx, actor, caller.accountId, params.id)
      return { status: 204 }
    }),
  )

  server.mount(webhookRoutes.listSourceAddresses, async () => ({ status: 200, body: { data: [...sourceAddresses] } }))

  server.mount(webhookRoutes.testWebhook, ({ caller: { accountId }, params: { id }, body, once }) =>
    once(async () => {
      const event = await server.database.transact((tx) => publishTest(tx, { accountId, id }, body.type ?? 'ping'))
      return { status: 200, body: await outcomeOfTest(db, id, event, stopping.signal) }
    }),
  )

  server.mount(webhookRoutes.rotateWebhookSecret, ({ caller: { accountId }, actor, params: { id }, body, transact }) =>
    transact(async (tx) => {
      const wanted = { accountId, id, overlapHours: body.overlap_hours }
      const { endpoint, secret } = await rotateSecret(tx, { actor, secrets }, wanted)
      return { status: 200, body: { ...endpointToWire(endpoint), secret } }
    }),
  )
}

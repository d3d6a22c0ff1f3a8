import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

export const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Event types and groups; null is every event, later ones too.' }),
    description: z.string(),
    state: z.enum(['enabled', 'disabled']),
    disabled_at: z.string().nullable(),
    disabled_reason: z.string().nullable(),
    status: z
      .enum(['pending', 'succeeded', 'failed', 'skipped'])
      .nullable()
      .meta({ description: "The latest delivery's outcome; null before the first." }),
    last_status: z.int().nullable().meta({ description: 'The HTTP status that the receiver last answered with.' }),
    created_at: z.string(),
  })
  .meta({ id: 'WebhookEndpoint' })

export type WireEndpoint = z.infer<typeof endpointSchema>

const endpointParams = z.object({ id: z.string() })

export const webhookRoutes = {
  listWebhooks: route({
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    who: ['webhooks:manage'],
    tag: 'Webhooks',
    summary: 'List the webhook endpoints of the account',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(endpointSchema) },
  }),
  createWebhook: route({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    who: ['webhooks:manage'],
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description: 'The secret stands beside the endpoint in this one answer only.',
    body: z.strictObject({
      url: z.string().max(2_000).meta({ description: 'A public https:// URL.' }),
      events: z.array(z.string()).min(1).max(50).optional(),
      description: z.string().max(500).optional(),
    }),
    answers: { 201: endpointSchema.extend({ secret: z.string() }) },
    secret: true,
    errors: ['address_not_public', 'endpoint_limit'],
  }),
  getWebhook: route({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{id}',
    who: ['webhooks:manage'],
    tag: 'Webhooks',
    summary: 'Read one webhook endpoint',
    params: endpointParams,
    answers: { 200: endpointSchema },
  }),
  deleteWebhook: route({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    who: ['webhooks:manage'],
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    params: endpointParams,
    answers: { 204: null },
  }),
}

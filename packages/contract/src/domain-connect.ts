import { z } from 'zod'
import { changeResultSchema, dryRunQuery, dryRunSchema, zoneParams } from './records.ts'
import { route } from './route.ts'

/** Maximum length of a request of Domain Connect: its path and query. The protocol requires at least 8,000. */
export const maxConnectRequestLength = 8_192

const connectRequest = z.string().max(maxConnectRequestLength).meta({
  description:
    'The path and query of the link of the service provider. Do not change them, because the signature of the link may cover them.',
  example:
    '/v2/domainTemplates/providers/example.net/services/website/apply?domain=example.com&site=my-site&state=4711',
})

/** Where the browser continues afterwards. */
const returnUrls = z
  .object({
    applied: z.string().meta({ description: 'The URL to open after the call has changed the records.' }),
    cancelled: z.string().meta({ description: 'The URL to open if the person cancels.' }),
    invalid: z
      .string()
      .meta({ description: 'The URL to open if the template cannot be applied with the values of the link.' }),
    denied: z.string().meta({ description: 'The URL to open if the person has no access to the zone.' }),
  })
  .nullable()
  .meta({
    description:
      'The URLs of the service provider to which the browser returns. The field is null if the link has no return URL, or if the template does not allow the return URL of the link.',
  })

const connectRequestSchema = z
  .object({
    provider: z.string().meta({ description: 'The name of the service provider.', example: 'Example' }),
    provider_id: z.string().meta({ example: 'example.net' }),
    service: z.string().meta({ description: 'The name of the service.', example: 'Example website' }),
    service_id: z.string().meta({ example: 'website' }),
    on_behalf_of: z.string().nullable().meta({
      description: 'The reseller that the link names. The service provider may not have confirmed this name.',
    }),
    domain: z.string().meta({ description: 'The name of the zone that the link is for.', example: 'example.com' }),
    host: z.string().meta({
      description: 'The subdomain that the link is for. It is empty for the zone itself.',
      example: 'shop',
    }),
    signed: z.boolean().meta({ description: 'True if the service provider has signed the link.' }),
    phishing_warning: z.boolean().meta({
      description: 'True if anyone could have written the link. Show a warning to the person in this case.',
    }),
    return_urls: returnUrls,
    token: z.string().meta({
      description:
        'A token that shows that this account has checked the link. `applyConnectRequest` requires this token. The token is valid for an hour.',
    }),
  })
  .meta({ id: 'ConnectRequest' })

export const domainConnectRoutes = {
  readConnectRequest: route({
    id: 'readConnectRequest',
    method: 'POST',
    path: '/domain-connect/requests',
    who: 'session',
    summary: 'Check a Domain Connect link',
    description:
      'With a Domain Connect link, a service provider sends people to the dashboard, where they can set up the provider’s service in a zone. If the template of the link requires a signature, the call verifies the signature.',
    body: z.strictObject({ request: connectRequest }),
    answers: { 200: connectRequestSchema },
    reads: true,
    outside: 'dns',
    errors: ['not_found'],
  }),
  applyConnectRequest: route({
    id: 'applyConnectRequest',
    method: 'POST',
    path: '/zones/{zone}/domain-connect',
    who: 'session',
    summary: 'Apply the template of a Domain Connect link to a zone',
    description:
      'The service makes all changes in one step, and applies the same rules as for a preset. The zone must be the zone that the link names.',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({
      request: connectRequest,
      token: z.string().max(1_000).meta({ description: 'The token from the response of `readConnectRequest`.' }),
    }),
    source: 'domain-connect',
    answers: { 200: z.union([changeResultSchema, dryRunSchema]) },
    errors: ['precondition_failed', 'service_owned'],
  }),
}

/** The body of the response to `readConnectRequest`. */
export type WireConnectRequest = z.infer<typeof connectRequestSchema>

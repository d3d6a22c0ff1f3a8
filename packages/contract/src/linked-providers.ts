import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

const linkedProviderSchema = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'The name of the provider, such as Google.' }),
    email: z.string().nullable().meta({
      description:
        'The email address that the provider reported when you linked the provider. The sign-in does not depend on this address.',
    }),
    usable: z.boolean().meta({ description: 'False if the service no longer offers this provider.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    last_used_at: z.string().nullable().meta({ description: 'The time of the latest use of the provider.' }),
  })
  .meta({ id: 'LinkedProvider' })

export type WireLinkedProvider = z.infer<typeof linkedProviderSchema>

const password = z.string().max(1_000).meta({ description: 'The password of the account.' })
const code = z.string().max(100).optional().meta({
  description: 'A code from the authenticator app, or a backup code. Required if two-factor authentication is on.',
})

export const linkedProviderRoutes = {
  listLinkedProviders: route({
    id: 'listLinkedProviders',
    method: 'GET',
    path: '/account/providers',
    who: 'session',
    summary: 'List the sign-in providers that are linked to the account',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(linkedProviderSchema) },
  }),
  beginProviderLink: route({
    id: 'beginProviderLink',
    method: 'POST',
    path: '/account/providers/link',
    who: 'session',
    summary: 'Start linking a sign-in provider',
    description:
      'The call requires the password. If two-factor authentication is on, the call also requires a code. To continue, open the URL from the response in the same browser. An account can have at most 5 linked providers.',
    body: z.strictObject({
      provider: z.string().max(30).meta({ description: 'The id of the provider, such as `google`.' }),
      password,
      code,
    }),
    repeatable: true,
    answers: {
      200: z
        .object({ url: z.string().meta({ description: 'The URL of the provider’s page, to open in the browser.' }) })
        .meta({ id: 'ProviderLink' }),
    },
    errors: ['code_required', 'code_wrong', 'conflict', 'forbidden', 'provider_unavailable'],
  }),
  unlinkProvider: route({
    id: 'unlinkProvider',
    method: 'DELETE',
    path: '/account/providers/{id}',
    who: 'session',
    summary: 'Unlink a sign-in provider',
    description:
      'The call requires the password. If two-factor authentication is on, the call also requires a code. Existing sessions that someone opened with the provider do not end.',
    params: z.object({ id: z.uuid().meta({ description: 'The id of the linked provider.' }) }),
    body: z.strictObject({ password, code }),
    answers: { 204: null },
    errors: ['code_required', 'code_wrong', 'conflict', 'forbidden', 'not_found'],
  }),
}

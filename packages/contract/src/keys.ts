import { z } from 'zod'
import { permissions } from './permissions.ts'
import { route } from './route.ts'

export const keyRoutes = {
  currentKey: route({
    id: 'currentKey',
    method: 'GET',
    path: '/api-keys/current',
    who: 'any-key',
    tag: 'Keys',
    summary: 'Read the key that makes this request',
    answers: {
      200: z
        .object({
          id: z.string(),
          name: z.string(),
          hint: z.string().meta({ description: 'The last four characters of the secret.' }),
          zones: z.union([z.literal('all'), z.array(z.string())]),
          permissions: z.array(z.enum(permissions)),
          expires_at: z.string().nullable(),
          created_at: z.string(),
          last_used_at: z.string().nullable(),
          state: z.enum(['live', 'revoked', 'expired']),
        })
        .meta({ id: 'ApiKey' }),
    },
  }),
}

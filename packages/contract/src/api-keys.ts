import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { permissions } from './permissions.ts'
import { route } from './route.ts'
import { tsigClients } from './tsig-clients.ts'

/** What an entry of a key's scope can be. */
export const scopeKinds = ['zone', 'domain'] as const

const scopeEntrySchema = z
  .object({ id: z.string(), name: z.string(), kind: z.enum(scopeKinds) })
  .meta({ id: 'ScopeEntry', description: 'One zone or one domain that a key covers.' })

export type WireScopeEntry = z.infer<typeof scopeEntrySchema>

/** A zone or a domain in the scope that a request sets: a name, the id of a zone, or an entry in the same format as in responses. */
const pickSchema = z.union(
  [
    z.string().max(300),
    z.strictObject({
      kind: z.enum(scopeKinds),
      id: z.string().max(100).optional().meta({ description: 'The id of the zone or domain.' }),
      name: z.string().max(300).optional().meta({
        description:
          'The name of the zone or domain. If there is no `id`, the name and the kind select the zone or domain.',
      }),
    }),
  ],
  'Expected a name, or an entry such as {"kind": "domain", "name": "example.com"}. The kind is zone or domain.',
)

export type WirePick = z.infer<typeof pickSchema>

/** Maximum number of names, and of types, in all limits of a key together. */
export const maxLimitEntries = 100

/** Maximum number of addresses and networks that a key can name. */
export const maxKeyAddresses = 16

/** Record sets of a zone that a key is limited to: every one of `names` with every one of `types`. */
const limitSchema = z
  .strictObject({
    zone: z
      .string()
      .max(300)
      .meta({ description: 'The name of the zone. A request can send its id instead.', example: 'example.com' }),
    names: z
      .array(z.string().max(1_024))
      .min(1)
      .max(maxLimitEntries)
      .meta({
        description:
          'Owner names relative to the zone. `home` covers only the name `home`. `@` covers the zone itself. `*.lan` covers every name below `lan`, but not `lan`. `*` covers every name below the zone.',
        example: ['home', '*.lan'],
      }),
    types: z
      .array(z.string().max(20))
      .min(1)
      .max(maxLimitEntries)
      .meta({ description: 'Record types.', example: ['A', 'AAAA'] }),
  })
  .meta({ id: 'KeyLimit', description: 'Record sets of a zone that a key is limited to.' })

export type WireKeyLimit = z.infer<typeof limitSchema>

/** The same in the code's form, within a zone. */
export interface RecordLimit {
  readonly names: readonly string[]
  readonly types: readonly string[]
}

/** The message for a name of a key that is empty or too long. */
export const keyNameFault = 'A key needs a name of 1 to 100 characters.'

const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: 'The last four characters of the secret.' }),
    zones: z.union([z.literal('all'), z.array(scopeEntrySchema)]).meta({
      description:
        'The scope of the key. `all` means all zones and domains that the account owns, including zones and domains that are added later. Otherwise, this is a list of the zones and domains that the key covers, sorted by name.',
    }),
    permissions: z.array(z.enum(permissions)).meta({ description: 'The permissions of the key.' }),
    limits: z.array(limitSchema).nullable().meta({
      description:
        'The record sets that the key can read and change in its zones. It is null if the key has no limits. The list is sorted by zone.',
    }),
    addresses: z.array(z.string()).nullable().meta({
      description:
        'The networks from which the key can be used, such as `203.0.113.9/32`. It is null if the key can be used from any address.',
    }),
    tsig: z.object({ name: z.string(), created_at: z.string() }).nullable().meta({
      description: 'The name and the creation time of the TSIG secret of the key. It is null if the key has none.',
    }),
    expires_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the key expires. It is null if the key never expires.' }),
    created_at: z.string(),
    last_used_at: z
      .string()
      .nullable()
      .meta({ description: 'The time of the last use of the key. It is null if the key was never used.' }),
    state: z.enum(['live', 'revoked', 'expired']),
  })
  .meta({ id: 'ApiKey' })

export type WireApiKey = z.infer<typeof apiKeySchema>

const scopeSchema = z.union(
  [z.literal('all'), z.array(pickSchema).max(1_000)],
  'Expected "all", or a list of zones and domains.',
)

const permissionsSchema = z.array(z.enum(permissions)).max(permissions.length)

const limitsSchema = z
  .array(limitSchema)
  .min(1)
  .max(maxLimitEntries)
  .meta({
    description: `Limits the key to these record sets. \`zones\` must then be a list, and each zone in the list must have at least one limit. All limits of a key together can have at most ${maxLimitEntries} names and ${maxLimitEntries} types. A key with limits can have only the permissions \`records:read\`, \`records:write\` and \`acme:dns01\`.`,
  })

/** When a key may expire (specification, "API key"). */
export const keyLifetimes = ['never', '30d', '90d', '1y'] as const

/** A code for a call that reveals a secret. */
const codeSchema = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'A code from the authenticator app, or a backup code.' })

const keyParams = z.object({ id: z.string().max(100).meta({ description: 'The id of the key.' }) })

const acmeDnsAccountSchema = z
  .object({
    fulldomain: z.string().meta({ description: 'The owner name of the TXT records that clients write.' }),
    subdomain: z.string().meta({ description: 'The name that clients send as `subdomain`.' }),
    username: z.string().meta({ description: 'The id of the key. The service accepts any value.' }),
    password: z.string().meta({ description: 'A placeholder for the secret of the key.' }),
    server_url: z.string().meta({ description: 'The base URL of the service for clients of acme-dns.' }),
    allowfrom: z.array(z.string()).meta({ description: 'Always empty. Use the `addresses` of the key.' }),
  })
  .meta({ id: 'AcmeDnsAccount', description: 'An account in the format of acme-dns.' })

export type WireAcmeDnsAccount = z.infer<typeof acmeDnsAccountSchema>

export const apiKeyRoutes = {
  currentKey: route({
    id: 'currentKey',
    method: 'GET',
    path: '/api-keys/current',
    who: 'any-key',
    wholeZone: false,
    summary: 'Read the API key that sent the request',
    answers: { 200: apiKeySchema },
    errors: ['not_found'],
  }),
  listKeys: route({
    id: 'listKeys',
    method: 'GET',
    path: '/api-keys',
    who: 'session',
    summary: 'List the API keys of the account, including revoked and expired keys',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(apiKeySchema) },
  }),
  createKey: route({
    id: 'createKey',
    method: 'POST',
    path: '/api-keys',
    who: 'session',
    summary: 'Create an API key',
    description: 'Each call requires two-factor authentication and a new code. Only this response shows the secret.',
    body: z.strictObject({
      name: z.string().max(1_000, keyNameFault).meta({
        description:
          'The name of the key. It has 1 to 100 characters. Control and bidirectional characters are not allowed. The history of a zone shows this name for changes that are made with the key.',
      }),
      zones: scopeSchema.meta({
        description:
          'The scope of the key: `all`, or a list of zones and domains. `all` covers the zones and domains that the account owns, now and later. It does not cover zones and domains that other accounts share with this account. In a list, a name covers every zone and domain with exactly this name that the account owns or manages now. A list does not cover zones and domains that you add later. The response shows the resulting scope.',
      }),
      permissions: permissionsSchema.meta({ description: 'The permissions of the key.' }),
      limits: limitsSchema.optional(),
      addresses: z
        .array(z.string().max(50))
        .min(1)
        .max(maxKeyAddresses)
        .optional()
        .meta({
          description:
            'The IP addresses and networks (CIDR) from which the key can be used. Requests from other addresses fail with 403. By default, the key can be used from any address.',
          example: ['203.0.113.9', '2001:db8::/32'],
        }),
      expires_in: z
        .enum(keyLifetimes)
        .meta({ description: 'The lifetime of the key: unlimited, 30 days, 90 days or a year.' }),
      code: codeSchema,
    }),
    headers: ['Location'],
    answers: {
      201: apiKeySchema.extend({
        secret: z.string().meta({ description: 'The secret of the key. Send it as `Authorization: Bearer <secret>`.' }),
      }),
    },
    secret: true,
    errors: ['two_factor_required', 'code_required', 'code_wrong', 'conflict'],
  }),
  narrowKey: route({
    id: 'narrowKey',
    method: 'PATCH',
    path: '/api-keys/{id}',
    who: 'session',
    summary: 'Restrict an API key',
    description:
      'The call can only remove zones, domains, permissions and record sets from the key. If the key would gain anything, the call fails with 422. The restriction takes effect with the next request of the key.',
    params: keyParams,
    body: z.strictObject({
      zones: scopeSchema.optional().meta({
        description:
          'The zones and domains that remain. A name selects every zone and domain with this name that the key covers. By default, the scope stays the same.',
      }),
      permissions: permissionsSchema.optional().meta({
        description: 'The permissions that remain. By default, the permissions stay the same.',
      }),
      limits: limitsSchema.optional().meta({
        description:
          'The record sets that remain. Each zone that remains must have at least one limit. By default, the limits stay the same.',
      }),
    }),
    answers: { 200: apiKeySchema },
  }),
  acmeDnsAccount: route({
    id: 'acmeDnsAccount',
    method: 'POST',
    path: '/api-keys/{id}/acme-dns',
    who: 'session',
    summary: 'Get the account file of a key for clients of acme-dns',
    description:
      'The response is an account file: a JSON object with one entry, as goacmedns, cert-manager, lego and other clients of acme-dns read it. In the file, replace `password` with the secret of the key, which the service does not store. The key must be allowed to change the TXT records of `fulldomain`.\n\nYou can also use the file for a domain that another DNS provider hosts. At that provider, create a CNAME record from `_acme-challenge.<domain>` to `fulldomain`. In the file, use that domain as the name of the entry.',
    params: keyParams,
    body: z.strictObject({
      zone: z.string().max(1_000).meta({ description: 'The name or id of a zone that the key covers.' }),
      label: z.string().max(1_000).meta({
        description:
          'The name that the certificate is for, relative to the zone and without `_acme-challenge`. `@` is the zone itself.',
        example: 'www',
      }),
    }),
    answers: { 200: z.record(z.string(), acmeDnsAccountSchema) },
    reads: true,
  }),
  revokeKey: route({
    id: 'revokeKey',
    method: 'DELETE',
    path: '/api-keys/{id}',
    who: 'session',
    summary: 'Revoke an API key immediately',
    params: keyParams,
    answers: { 204: null },
  }),
  createTsig: route({
    id: 'createTsig',
    method: 'POST',
    path: '/api-keys/{id}/tsig',
    who: 'session',
    summary: 'Create the TSIG secret of an API key',
    description:
      'With this secret, programs sign DNS updates, queries and zone transfers (RFC 8945). The TSIG secret is not the secret of the API key. If the key already has a TSIG secret, the new one replaces it immediately. Each call requires two-factor authentication and a new code. Only this response shows the secret.',
    params: keyParams,
    body: z.strictObject({ code: codeSchema }),
    answers: {
      201: z
        .object({
          name: z
            .string()
            .meta({ description: 'The name of the TSIG key: the id of the API key, with `-` in place of `_`.' }),
          algorithm: z.literal('hmac-sha256').meta({
            description: 'The recommended algorithm. The service also accepts `hmac-sha384` and `hmac-sha512`.',
          }),
          secret: z.string().meta({ description: 'The secret, 32 bytes in base64.' }),
        })
        .meta({ id: 'TsigSecret' }),
    },
    secret: true,
    errors: ['two_factor_required', 'code_required', 'code_wrong'],
  }),
  deleteTsig: route({
    id: 'deleteTsig',
    method: 'DELETE',
    path: '/api-keys/{id}/tsig',
    who: 'session',
    summary: 'Delete the TSIG secret of an API key immediately',
    params: keyParams,
    answers: { 204: null },
  }),
  getTsigConfig: route({
    id: 'getTsigConfig',
    method: 'GET',
    path: '/api-keys/{id}/tsig/config',
    who: 'session',
    summary: 'Read a configuration file for a program that uses the TSIG secret',
    description: 'The file has a placeholder instead of the secret.',
    params: keyParams,
    query: z.strictObject({
      for: z.enum(tsigClients).meta({ description: 'The program.' }),
      zone: z.string().max(1_000).optional().meta({
        description:
          'The name or id of a zone that the key covers. If the program supports only one zone, the configuration is for this zone. Otherwise, the configuration lists this zone first, and then the other zones in the scope of the key. By default, the configuration is for all zones of the key.',
      }),
    }),
    answers: { 200: { raw: 'text/plain' } },
  }),
}

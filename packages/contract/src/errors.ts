import { z } from 'zod'

/** Every code of the error envelope with its HTTP status (specification, "Errors"; design: api, "Errors"). */
export const errorStatuses = {
  malformed_request: 400,
  signed_out: 401,
  invalid_key: 401,
  insufficient_credit: 402,
  forbidden: 403,
  email_unconfirmed: 403,
  two_factor_required: 403,
  code_required: 403,
  code_wrong: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_mismatch: 409,
  idempotency_replayed: 409,
  rrset_exists: 409,
  zone_exists: 409,
  zone_limit: 409,
  subdomain_limit: 409,
  endpoint_limit: 409,
  name_unavailable: 409,
  price_changed: 409,
  quote_expired: 409,
  order_open: 409,
  promo_in_use: 409,
  domain_locked: 409,
  not_renewable: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_failed: 422,
  service_owned: 422,
  missing_dot: 422,
  address_not_public: 422,
  tld_unsupported: 422,
  contact_invalid: 422,
  auth_code_required: 422,
  promo_invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  registry_unavailable: 503,
  provider_unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

const errorCode = z.string().meta({
  id: 'ErrorCode',
  description:
    'A stable code for programs. More codes can be added. If your program does not know a code, use the HTTP status.',
  'x-extensible-enum': Object.keys(errorStatuses),
})

export const errorEnvelope = z
  .object({
    error: z.object({
      code: errorCode,
      message: z.string().meta({ description: 'Human-readable text that says what is wrong and what to do.' }),
      request_id: z.string().meta({ description: 'The id of the request. Include it when you contact support.' }),
      details: z
        .array(
          z.object({
            path: z.string().optional().meta({
              description: 'The place of the error: a JSON pointer into the body, or the name of a parameter.',
            }),
            line: z.int().optional().meta({ description: 'The line of the error in an imported zone file.' }),
            code: z.string(),
            message: z.string(),
          }),
        )
        .optional()
        .meta({ description: 'A list of the problems in the request, each with its place.' }),
    }),
  })
  .meta({ id: 'Error' })

/** The words of the API's error envelope (design: api, "Errors"). `platform/http` alone maps them to statuses. */
export type RefusalCode =
  | 'malformed_request'
  | 'signed_out'
  | 'invalid_key'
  | 'insufficient_credit'
  | 'forbidden'
  | 'email_unconfirmed'
  | 'two_factor_required'
  | 'code_required'
  | 'code_wrong'
  | 'quota_exceeded'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_mismatch'
  | 'idempotency_replayed'
  | 'rrset_exists'
  | 'zone_exists'
  | 'zone_limit'
  | 'subdomain_limit'
  | 'endpoint_limit'
  | 'name_unavailable'
  | 'price_changed'
  | 'quote_expired'
  | 'order_open'
  | 'promo_in_use'
  | 'domain_locked'
  | 'not_renewable'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'service_owned'
  | 'address_not_public'
  | 'tld_unsupported'
  | 'contact_invalid'
  | 'auth_code_required'
  | 'promo_invalid'
  | 'rate_limited'
  | 'unavailable'
  | 'registry_unavailable'

/** One fault of a request: where it is, a stable word, and what to do about it. */
export interface FaultDetail {
  /** JSON pointer into the body, or the name of a parameter. */
  path?: string
  /** Line of an imported zone file, from 1. */
  line?: number
  code: string
  message: string
}

/** A request that is refused for a reason its caller can act on. Anything else that is thrown becomes a bare 500. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly details: readonly FaultDetail[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: RefusalCode,
    message: string,
    extra: { details?: readonly FaultDetail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = extra.details ?? []
    this.headers = extra.headers ?? {}
  }
}

import { ApiFailure, type FailureCode, type FailureDetail } from '../api/failure.ts'

/** A failure in words for a person. */
export interface SaidFailure {
  readonly title: string
  readonly message: string
  /** The single errors. */
  readonly details: readonly string[]
  /** The request id that support needs. */
  readonly reference: string | undefined
}

/** Headlines; the sentence below is the message of the API. */
const titles: Partial<Record<FailureCode, string>> = {
  unreachable: 'No connection',
  unreadable: 'No proper answer',
  unavailable: 'The service is not available',
  internal: 'Something went wrong on our side',
  rate_limited: 'Too many requests',
  quota_exceeded: 'The daily limit for changes is reached',
  signed_out: 'Not signed in',
  code_too_late: 'Sign in again',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  precondition_failed: 'Changed by someone else',
  payload_too_large: 'This is too large',
  validation_failed: 'Please correct this',
  service_owned: 'These records belong to the service',
  PASSWORD_TOO_COMMON: 'Choose another password',
  PASSWORD_IS_A_NAME: 'Choose another password',
  code_wrong: 'The code was not accepted',
  name_unavailable: 'This name is not available',
  price_changed: 'The price has changed',
  quote_expired: 'The price is no longer held',
  order_open: 'There is an open order for this name',
  promo_invalid: 'The promo code does not apply',
  promo_in_use: 'The promo code is in use',
  domain_locked: 'The domain is locked',
  not_renewable: 'This domain cannot be renewed now',
  tld_unsupported: 'This TLD is not sold here',
  contact_invalid: 'The contact needs correcting',
  auth_code_required: 'The transfer code is missing',
  insufficient_credit: 'Not enough credit',
  registry_unavailable: 'The registry does not answer',
  email_unconfirmed: 'Your address is not confirmed yet',
  two_factor_required: 'Two-factor authentication is required',
}

/** The only function that translates failures. Every page uses it. */
export function sayFailure(error: unknown): SaidFailure {
  if (!(error instanceof ApiFailure))
    return {
      title: 'Something went wrong on this page',
      message: 'Reload the page and try again. If it happens again, tell support what you did.',
      details: [],
      reference: undefined,
    }
  const { code, message, details, requestId, status } = error
  const [first] = details
  const single = details.length === 1 && message.includes(first?.message ?? '')
  return {
    title: titles[code] ?? 'This was not possible',
    message: single && first ? withPlaceInWords(message, first) : message,
    details: single
      ? []
      : details.map((detail) => (detail.line === undefined ? '' : `Line ${detail.line}: `) + detail.message),
    reference: status >= 500 ? requestId : undefined,
  }
}

/** The API begins a message with a JSON pointer. A person sees its last name instead: `Address: …` for `/secondaries/0/address: …`. */
function withPlaceInWords(message: string, detail: FailureDetail): string {
  const { path = '' } = detail
  if (!path.startsWith('/') || message !== `${path}: ${detail.message}`) return message
  const names = path.slice(1).split('/')
  const last = names.pop() ?? ''
  const place = /^\d+$/.test(last) && names.length > 0 ? `${names.at(-1)} ${Number(last) + 1}` : last
  return `${place.charAt(0).toUpperCase()}${place.slice(1).replaceAll('_', ' ')}: ${detail.message}`
}

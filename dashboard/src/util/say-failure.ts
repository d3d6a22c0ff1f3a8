import { ApiFailure, type FailureCode, type FailureDetail } from '../api/failure.ts'
import { isolated, shownName } from './shown-name.ts'

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
  timed_out: 'No response in time',
  unreadable: 'Unexpected response',
  unavailable: 'The service is not available',
  internal: 'Something went wrong on our side',
  rate_limited: 'Too many requests',
  quota_exceeded: 'The daily limit for changes is reached',
  signed_out: 'Your session has ended',
  invalid_key: 'Your session has ended',
  code_too_late: 'Sign in again',
  passkey_stopped: 'No passkey was used',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  precondition_failed: 'Changed by someone else',
  payload_too_large: 'This is too large',
  validation_failed: 'Please correct this',
  service_owned: 'These records belong to the service',
  PASSWORD_TOO_COMMON: 'Choose another password',
  PASSWORD_IS_A_NAME: 'Choose another password',
  code_wrong: 'The code was not accepted',
  address_not_public: 'This address cannot be used',
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
  provider_unavailable: 'The provider does not respond',
  email_unconfirmed: 'Your address is not confirmed yet',
  two_factor_required: 'Two-factor authentication is required',
}

const notUnderstood = 'The service did not understand this page. Reload the page and try again.'

/** Sentences for errors whose message in the API says what a program should send. For `conflict`, only some messages do. */
const sentences: Partial<Record<FailureCode, string>> = {
  signed_out: 'Sign in again to continue.',
  invalid_key: 'Sign in again to continue.',
  method_not_allowed: notUnderstood,
  unsupported_media_type: notUnderstood,
  uri_too_long: 'What you entered is too long.',
  idempotency_mismatch: notUnderstood,
  idempotency_replayed: 'This was done already. Reload the page to see the result.',
  payload_too_large: 'This is larger than the service accepts at once. Send it in parts.',
  conflict: 'The same change is still in progress. Try again in a moment.',
}

/** Words that only customers' programs understand. */
const isForPrograms =
  /\bheaders?\b|Authorization|Content-Type|Idempotency-Key|If-Match|\bJSON\b|[Tt]he body\b|API reference|\b(?:PUT|POST|PATCH|DELETE) \//
const quoted = /"[^"]*"|'[^']*'|`[^`]*`/g

/**
 * A message of the API without its sentences for programs, and with names as people write them. Quoted parts are not checked, because they may be
 * what the person entered.
 */
function forPeople(message: string): string {
  return message
    .split(/(?<=[.!?])\s+(?=[A-Z])/)
    .filter((sentence) => !isForPrograms.test(sentence.replaceAll(quoted, '')))
    .map((sentence) => isolated(shownName(sentence)))
    .join(' ')
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
  const { code, requestId, status } = error
  const isSaidHere = code !== 'conflict' && sentences[code] !== undefined && status !== 0
  const message = isSaidHere ? '' : forPeople(error.message)
  const details = error.details.map((detail) => ({ ...detail, message: forPeople(detail.message) || notUnderstood }))
  const [first] = details
  const single = details.length === 1 && message.includes(first?.message ?? '')
  const [cause, advice] = details.length === 0 ? causeAndAdvice(message) : []
  return {
    title: titles[code] ?? cause ?? 'This did not work',
    message:
      single && first
        ? withPlaceInWords(message, first)
        : (titles[code] === undefined && advice) || message || (sentences[code] ?? notUnderstood),
    details: single
      ? []
      : details.map((detail) => (detail.line === undefined ? '' : `Line ${detail.line}: `) + detail.message),
    reference: status >= 500 ? requestId : undefined,
  }
}

/** The first sentence of a message, as a headline, and the other sentences. A message of one sentence has no headline. */
function causeAndAdvice(message: string): [string?, string?] {
  const [, cause, advice] = /^(.+?)\. ([A-Z].*)$/s.exec(message) ?? []
  return cause === undefined || advice === undefined ? [] : [cause, advice]
}

/** The API begins a message with a JSON pointer. A person sees its last name instead: `Address: …` for `/secondaries/0/address: …`. */
function withPlaceInWords(message: string, detail: FailureDetail): string {
  const { path = '' } = detail
  if (!path.startsWith('/') || message !== `${path}: ${detail.message}`) return message
  const names = path.slice(1).split('/')
  const last = names.pop() ?? ''
  const place = /^\d+$/.test(last) && names.length > 0 ? `${names.at(-1)} ${Number(last) + 1}` : last
  const words = `${place.charAt(0).toUpperCase()}${place.slice(1).replaceAll('_', ' ')}`
  return `${words.replace(/^Ns\b/, 'NS')}: ${detail.message}`
}

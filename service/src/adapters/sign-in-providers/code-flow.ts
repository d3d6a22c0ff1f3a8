import { accountEmail, accountName } from '@zonewright/contract'
import * as oauth from 'oauth4webapi'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { BegunSignIn, FinishedSignIn, KeptSignIn, ProviderAnswer, ProviderAway } from '#ports/sign-in-provider.ts'
import { type Ask, NoAnswer } from './provider-http.ts'

/** The options of the library for requests over our HTTP. Only issuers on this machine can use http. */
export function over(ask: Ask, issuer: string) {
  return {
    [oauth.customFetch]: (url: string, options: Parameters<Ask>[1]) => ask(url, options),
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  }
}

/** The authorization request of the code flow, with PKCE (RFC 7636). */
export async function authorizationRequest(
  server: oauth.AuthorizationServer,
  { clientId, returnUrl, scope, hasNonce }: { clientId: string; returnUrl: string; scope: string; hasNonce: boolean },
): Promise<BegunSignIn> {
  const kept: KeptSignIn = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
  }
  const url = new URL(server.authorization_endpoint ?? '')
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: returnUrl,
    scope,
    state: kept.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(kept.codeVerifier),
    code_challenge_method: 'S256',
    ...(hasNonce && { nonce: kept.nonce }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { kind: 'begun', url: url.href, kept }
}

/** Checks state and issuer of an answer. Throws if it has an error instead of a code. */
export function codeIn(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  answer: ProviderAnswer,
  { state }: KeptSignIn,
): URLSearchParams {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return oauth.validateAuthResponse(server, client, new URLSearchParams(given), state)
}

/** A verified email address in the form of accounts. Undefined if there is none that an account could have. */
export function usableEmail(email: unknown, isVerified: unknown): string | undefined {
  // Some providers send the text "true". The specification allows only the value true.
  return isVerified === true ? accountEmail.safeParse(email).data : undefined
}

/** A name in the form of accounts. Empty if there is none. */
export function usableName(name: unknown): string {
  return accountName.safeParse(typeof name === 'string' ? firstCharacters(name.trim(), 99) : '').data ?? ''
}

export function away(error: unknown): ProviderAway {
  return { kind: 'away', why: wordsOf(error) }
}

/** Whether an answer of the provider proves nothing, or it was not able to answer. */
export function unfinished(error: unknown): Exclude<FinishedSignIn, { kind: 'proved' }> {
  if (error instanceof NoAnswer) return away(error)
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    if (error.error === 'access_denied') return { kind: 'declined' }
    return isOwnFault.has(error.error) ? away(error) : { kind: 'refused', why: wordsOf(error) }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return notAnswers.has(code) ? away(error) : { kind: 'refused', why: wordsOf(error) }
}

/** Errors (RFC 6749, sections 4.1.2.1 and 5.2) that the person cannot fix: of the provider, or of our client there. */
const isOwnFault = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
])

/** Codes of the library for responses that are not those of a provider. */
const notAnswers = new Set<string>([
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.RESPONSE_IS_NOT_JSON,
  oauth.PARSE_ERROR,
  oauth.WWW_AUTHENTICATE_CHALLENGE,
  oauth.MISSING_SERVER_METADATA,
  oauth.INVALID_SERVER_METADATA,
  oauth.HTTP_REQUEST_FORBIDDEN,
])

/** For the log. It never contains the response of the provider, because that has tokens. */
function wordsOf(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return `it answered ${JSON.stringify(firstCharacters(error.error, 60))}`
  return firstCharacters(error instanceof Error ? error.message : String(error))
}

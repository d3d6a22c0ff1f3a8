import type { WireConnectRequest } from '@zonewright/contract'
import type { ConnectRequest } from './connect-request.ts'
import type { ConnectTemplate } from './connect-template.ts'

/** The characters of RFC 3986 without `#`. Browsers repair all others, each in its own way. */
const plainUrl = /^https:\/\/[!$-;=?-[\]_a-z~]+$/i

/**
 * The URLs at which the browser continues after each outcome; null if the flow ends in the dashboard.
 *
 * `redirect_uri` must be an https URL without user and fragment. Either the signature covers it, or its host is a `syncRedirectDomain` of
 * the template or below one: otherwise, anyone could send people from here to another site.
 */
export function returnUrlsOf(
  { parameters }: Pick<ConnectRequest, 'parameters'>,
  { redirectDomains }: Pick<ConnectTemplate, 'redirectDomains'>,
  isSigned: boolean,
): WireConnectRequest['return_urls'] {
  const wanted = parameters.get('redirect_uri') ?? ''
  if (!plainUrl.test(wanted) || !URL.canParse(wanted)) return null
  const url = new URL(wanted)
  // Refuse even an empty user, which the parser drops.
  if (authorityOf(wanted).includes('@')) return null
  const host = url.hostname.replace(/\.$/, '')
  if (!isSigned && !redirectDomains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return null
  const state = parameters.get('state')
  const withOutcome = (outcome: Readonly<Record<string, string>>): string => {
    const to = new URL(url)
    for (const [name, value] of Object.entries({ ...(state !== undefined && { state }), ...outcome }))
      to.searchParams.append(name, value)
    return to.href
  }
  // RFC 6749 §4.1.2.1 defines the errors; the prefix `user_cancel` is Domain Connect's.
  return {
    applied: withOutcome({}),
    cancelled: withOutcome({ error: 'access_denied', error_description: 'user_cancel' }),
    invalid: withOutcome({ error: 'invalid_request' }),
    denied: withOutcome({ error: 'access_denied' }),
  }
}

function authorityOf(url: string): string {
  return url.slice('https://'.length).split(/[/?]/)[0] ?? ''
}

import type { WireWantedHeader } from '@zonewright/contract'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { faultsOfHeaders } from './fixed-headers.ts'
import { faultsOfEvents } from './rules.ts'

/**
 * Checks an endpoint: `validation_failed` for an invalid URL, event or header, `address_not_public` for an address to which no
 * webhook is sent. Call it before the transaction, because it uses the DNS.
 */
export async function checkEndpoint(
  http: WebhookHttp,
  wanted: {
    url?: string | undefined
    events?: readonly string[] | null | undefined
    headers?: readonly WireWantedHeader[] | undefined
  },
): Promise<void> {
  const { url, events, headers } = wanted
  const details: FaultDetail[] = [...faultsOfEvents(events ?? []), ...faultsOfHeaders(headers ?? [])]
  if (url !== undefined && !URL.canParse(url))
    details.unshift({
      path: '/url',
      code: 'invalid_url',
      message: 'This is not a URL. Use one such as https://example.com/webhooks.',
    })
  refuseFaults(details)
  const refusal = url === undefined ? null : await http.refusal(url)
  if (refusal !== null)
    throw new Refusal('address_not_public', refusal, {
      details: [{ path: '/url', code: 'address_not_public', message: refusal }],
    })
}

/** Throws `validation_failed` with all errors, if there are any. */
export function refuseFaults(details: readonly FaultDetail[]): void {
  if (details.length > 0) throw new Refusal('validation_failed', 'The endpoint is not valid.', { details })
}

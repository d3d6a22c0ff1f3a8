import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { faultsOfEvents } from './rules.ts'

/**
 * Checks an endpoint: `validation_failed` for an invalid URL or event, `address_not_public` for an address to which no
 * webhook is sent. Call it before the transaction, because it uses the DNS.
 */
export async function checkEndpoint(
  http: WebhookHttp,
  { url, events }: { url?: string | undefined; events?: readonly string[] | null | undefined },
): Promise<void> {
  const details: FaultDetail[] = faultsOfEvents(events ?? [])
  if (url !== undefined && !URL.canParse(url))
    details.unshift({
      path: '/url',
      code: 'invalid_url',
      message: 'This is not a URL. Use one such as https://example.com/webhooks.',
    })
  if (details.length > 0) throw new Refusal('validation_failed', 'The endpoint is not valid.', { details })
  const refusal = url === undefined ? null : await http.refusal(url)
  if (refusal !== null)
    throw new Refusal('address_not_public', refusal, {
      details: [{ path: '/url', code: 'address_not_public', message: refusal }],
    })
}

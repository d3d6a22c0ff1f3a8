import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { faultsOfEvents } from './rules.ts'

/**
 * Refuses what no endpoint may have: `validation_failed` for what is no URL or no event, `address_not_public` for where no
 * webhook goes. Before the transaction: it asks the DNS.
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

import { createWebhookHttp } from '#adapters/webhook-http/undici-webhook-http.ts'
import type { Configuration } from '#platform/configuration.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'

/** The real sender of webhooks, for this configuration. */
export function webhookHttpOf(configuration: Configuration): WebhookHttp {
  return createWebhookHttp({ trustedTargets: configuration.webhookTrustedTargets, caFile: configuration.webhookCaFile })
}

import { createResolve, createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { type Configuration, textOf } from '#platform/configuration.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'

/** The real sender of webhooks, for this configuration. */
export function webhookHttpOf(configuration: Configuration): WebhookHttp {
  return createWebhookHttp({
    trustedTargets: configuration.webhookTrustedTargets,
    caFile: configuration.webhookCaFile,
    resolve: createResolve(configuration.webhookResolver.map(textOf)),
  })
}

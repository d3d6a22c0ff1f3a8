import { isPublicAddress } from '#adapters/webhook-http/guard.ts'
import { type HostPort, textOf } from '#platform/settings/configuration.ts'
import type { ComposedSettings } from './parts.ts'

/** Whether the service may send messages to an address that a customer entered: the same rule as for webhooks, with the same trusted targets. */
export function reachOf({ webhookTrustedTargets = [] }: Pick<ComposedSettings, 'webhookTrustedTargets'>) {
  const trusted = new Set(webhookTrustedTargets)
  return (at: HostPort): boolean => trusted.has(textOf(at)) || isPublicAddress(at.host)
}

import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Wake } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Configuration } from '#platform/settings/configuration.ts'

/** What the API and the worker are built from, in addition to what is outside the service. A `Platform` is one; tests make their own. */
export interface Parts {
  readonly configuration: ComposedSettings
  readonly database: Database
  readonly wake: Wake
  readonly log: Logger
  readonly metrics: Metrics
  readonly secrets: SecretBox
}

/** The part of the configuration that modules depend on. */
export type ComposedSettings = Pick<
  Configuration,
  | 'publicUrl'
  | 'secretKey'
  | 'secretKeyFallback'
  | 'nameservers'
  | 'freeParents'
  | 'resolvers'
  | 'registries'
  | 'presetsDir'
  | 'doorAddress'
  | 'savedCards'
> &
  Partial<
    Pick<
      Configuration,
      | 'domainConnect'
      | 'domainConnectDir'
      | 'trustedProxies'
      | 'connectionsPerAddress'
      | 'httpMemoryBytes'
      | 'webhookTrustedTargets'
      | 'webhookSourceAddresses'
    >
  >

/** The host names of our nameservers. */
export function nameserversOf({ configuration }: Pick<Parts, 'configuration'>): string[] {
  return configuration.nameservers.map(({ name }) => name)
}

/** The TLDs on sale. */
export function tldsOf({ configuration }: Pick<Parts, 'configuration'>) {
  return configuration.registries.flatMap((registry) => registry.tlds)
}

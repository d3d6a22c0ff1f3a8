import { createEppRegistries, readEppSettings } from '#adapters/epp/index.ts'
import { CannotStart } from '#platform/cannot-start.ts'
import type { Logger } from '#platform/log.ts'
import type { Configuration } from '#platform/settings/configuration.ts'
import type { Registries } from '#ports/registry.ts'

/**
 * The registries at which domains are bought. One without an `epp` part is not connected, and its names are not for sale. Throws
 * CannotStart with a one-line reason.
 */
export function registriesOf({ registries }: Configuration, log: Logger): Registries {
  const connected = registries.filter(({ epp }) => epp !== undefined)
  const settings = connected.map((registry) => {
    const tlds = registry.tlds.map(({ tld }) => tld)
    try {
      return readEppSettings(registry.id, tlds, registry.epp)
    } catch (error) {
      throw new CannotStart(`REGISTRIES: ${(error as Error).message}`)
    }
  })
  return createEppRegistries(settings, log)
}

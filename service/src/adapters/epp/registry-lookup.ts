import { type Registries, sameId } from '#ports/registry.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'

/** The registries' data of our domains. They show too little of other domains. */
export function createRegistryLookup(registries: Registries): RegistryLookup {
  return {
    entryOf: async (domain) => {
      const registry = registries.registryOf(domain)
      const reading = await registry?.domains.info(domain)
      if (reading?.kind !== 'done' || registry === undefined || !sameId(reading.value.sponsor, registry.registrarId))
        return undefined
      const { nameservers, expiresAt } = reading.value
      return { nameservers, expiresAt, registrar: 'ours' }
    },
    // The owner of the registries closes their sessions.
    close: async () => undefined,
  }
}

import { type Registries, sameId } from '#ports/registry.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'

/** What registries have about domains that are with us: of others' they tell too little. */
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
    // Whose registries they are ends their sessions.
    close: async () => undefined,
  }
}

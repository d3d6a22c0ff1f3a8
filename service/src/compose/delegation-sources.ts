import { createParentDns } from '#adapters/dns/index.ts'
import { createRegistryLookup } from '#adapters/epp/index.ts'
import { createRdapLookup } from '#adapters/rdap/index.ts'
import type { ParentDns } from '#ports/parent-dns.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'
import type { Platform } from './platform.ts'

/** Who is asked about delegations. Close the registry when nobody asks any more. */
export function delegationSources({
  configuration: { delegationResolver, rdapBootstrap },
  registries,
}: Pick<Platform, 'configuration' | 'registries'>): {
  parentDns: ParentDns
  registry: RegistryLookup
} {
  const byRdap = rdapBootstrap === undefined ? [] : [createRdapLookup(rdapBootstrap)]
  const lookups = [createRegistryLookup(registries), ...byRdap]
  return { parentDns: createParentDns(delegationResolver), registry: inTurn(lookups) }
}

/** The first that can tell counts: whoever is nearest to the registry stands first. */
function inTurn(lookups: readonly RegistryLookup[]): RegistryLookup {
  return {
    entryOf: async (domain) => {
      for (const lookup of lookups) {
        const entry = await lookup.entryOf(domain)
        if (entry !== undefined) return entry
      }
      return undefined
    },
    close: async () => {
      await Promise.all(lookups.map((lookup) => lookup.close()))
    },
  }
}

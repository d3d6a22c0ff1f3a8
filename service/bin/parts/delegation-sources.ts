import { createParentDns } from '#adapters/dns/index.ts'
import { createRdapLookup } from '#adapters/rdap/index.ts'
import type { Configuration } from '#platform/configuration.ts'
import type { ParentDns } from '#ports/parent-dns.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'

/** Who is asked about delegations. Close the registry when nobody asks any more. */
export function delegationSources({ delegationResolver, rdapBootstrap }: Configuration): {
  parentDns: ParentDns
  registry: RegistryLookup
} {
  const lookups = rdapBootstrap === undefined ? [] : [createRdapLookup(rdapBootstrap)]
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

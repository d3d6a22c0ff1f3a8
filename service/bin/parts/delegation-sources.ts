import { createParentDns } from '#adapters/dns/index.ts'
import type { Configuration } from '#platform/configuration.ts'
import type { ParentDns } from '#ports/parent-dns.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'

/** Who is asked about delegations. No registry is connected yet: what it has is unknown. */
export function delegationSources({ delegationResolver }: Configuration): {
  parentDns: ParentDns
  registry: RegistryLookup
} {
  return { parentDns: createParentDns(delegationResolver), registry: { nameserversOf: async () => [] } }
}

import type { RegistryLookup } from '#ports/registry-lookup.ts'
import { createResolve } from '../webhook-http/resolve.ts'
import { RdapLookup } from './rdap-lookup.ts'

/** Registries over RDAP, found through this list of servers (RFC 9224). */
export function createRdapLookup(bootstrap: string): RegistryLookup {
  return new RdapLookup({ bootstrap: new URL(bootstrap), resolve: createResolve(), timeoutMs: 5_000 })
}

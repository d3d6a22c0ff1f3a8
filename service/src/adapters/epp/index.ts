import type { Registries, Registry } from '#ports/registry.ts'
import { contactsBy } from './contacts.ts'
import { domainsBy } from './domains.ts'
import { hostsBy } from './hosts.ts'
import { messagesBy } from './messages.ts'
import { type EppLog, SessionPool } from './session-pool.ts'
import type { EppSettings } from './settings.ts'

export { createRegistryLookup } from './registry-lookup.ts'
export { type EppSettings, readEppSettings } from './settings.ts'

/** Registries that use EPP. No connection is opened before the first command. */
export function createEppRegistries(settings: readonly EppSettings[], log: EppLog): Registries {
  const connected = settings.map((each) => ({ pool: new SessionPool(each, log), settings: each }))
  const all = connected.map(
    ({ pool, settings: { id, registrarId, tlds, pollEveryMs, ...more } }): Registry => ({
      id,
      registrarId,
      tlds,
      domains: domainsBy(pool, { tlds, ...more }),
      contacts: contactsBy(pool),
      hosts: hostsBy(pool),
      messages: messagesBy(pool, pollEveryMs, log),
    }),
  )
  return {
    all,
    registryOf: (domain) => nearest(all, domain),
    close: async () => {
      await Promise.all(connected.map(({ pool }) => pool.close()))
    },
  }
}

function nearest(registries: readonly Registry[], domain: string): Registry | undefined {
  let longest = 0
  let found: Registry | undefined
  for (const registry of registries) {
    for (const tld of registry.tlds) {
      if (tld.length <= longest || !domain.endsWith(`.${tld}`)) continue
      longest = tld.length
      found = registry
    }
  }
  return found
}

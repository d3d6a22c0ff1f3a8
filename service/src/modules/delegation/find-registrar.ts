import type { RegistrarView } from '@zonewright/contract'
import { lockAccount } from '#modules/accounts/index.ts'
import { registeredDomain } from '#modules/zones/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { RegistryLookup } from '#ports/registry-lookup.ts'
import { claimQuery, readRegistrar, recordRegistrar } from './registrar-store.ts'

/** What finding a registrar needs. */
export interface RegistrarContext {
  readonly database: Database
  readonly registry: RegistryLookup
}

/**
 * The registrar of the domain that a zone belongs to. Queries the registry, for up to 15 s, if nothing recent is known and the limits allow
 * it. If several callers ask at the same time, one of them queries, and the others get what was known before.
 */
export async function findRegistrar(
  { database, registry }: RegistrarContext,
  accountId: string,
  zoneName: string,
): Promise<RegistrarView> {
  const { db } = database
  const domain = registeredDomain(zoneName)
  const known = await readRegistrar(db, domain)
  const mayQuery = known?.isDue !== false && (await claim(database, accountId, domain))
  if (!mayQuery) return known ?? unknown(domain)
  const entry = await registry.entryOf(domain)
  if (entry !== undefined) await recordRegistrar(db, domain, entry.registrar)
  return (await readRegistrar(db, domain)) ?? unknown(domain)
}

/** The account is locked, so that its queries can be counted. */
function claim(database: Database, accountId: string, domain: string): Promise<boolean> {
  return database.transact(async (tx) => {
    await lockAccount(tx, accountId)
    return await claimQuery(tx, accountId, domain)
  })
}

function unknown(domain: string): RegistrarView {
  return { domain, name: null, url: null, isOurs: false, answeredAt: null }
}

import type { Database } from '#platform/postgres/index.ts'
import { domainIn, type RegistryMessage } from '#ports/registry.ts'
import { hurryDomain } from './store.ts'

/**
 * Takes a registry's message about a domain, once committed when it returns: only then is the message acknowledged. It is a hint
 * of what was, so the domain is looked at soon, and what the registry then says is what counts. Taking one twice does nothing.
 */
export async function takeRegistryNews(
  { database }: { readonly database: Database },
  message: RegistryMessage,
): Promise<void> {
  const name = domainIn(message.news)
  if (name === undefined) return
  await database.transact((tx) => hurryDomain(tx, name))
}

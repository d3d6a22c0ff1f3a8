import type { Database } from '#platform/postgres/index.ts'
import { domainIn, type RegistryMessage } from '#ports/registry.ts'
import { hurryDomain } from './store.ts'

/**
 * Handles a registry's message about a domain. It is committed when this returns, so the message can then be acknowledged. The message is a hint
 * about the past: the domain is checked soon, and the result of that check counts. Handling a message twice has no additional effect.
 */
export async function takeRegistryNews(
  { database }: { readonly database: Database },
  message: RegistryMessage,
): Promise<void> {
  const name = domainIn(message.news)
  if (name === undefined) return
  await database.transact((tx) => hurryDomain(tx, name))
}

import { type Message, queueMail } from '#modules/mail/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { addressesFor, topicOf } from './notices.ts'
import { readReaders } from './notification-store.ts'

/** Dependencies for notifying accounts. */
export interface MailContext {
  readonly secrets: SecretBox
  /** The dashboard's address, for links in emails. */
  readonly site: string
}

/**
 * Sends an email about a topic to the addresses that the account has chosen, unless the account no longer exists. Of several messages with the same
 * `once`, only the first is sent. Returns false if this is a later one, or the account no longer exists.
 *
 * The settings are read in this transaction, so a change that commits before it counts.
 */
export async function tellAccount(
  tx: Tx,
  { secrets }: Pick<MailContext, 'secrets'>,
  accountId: string,
  message: Message,
  once?: string,
): Promise<boolean> {
  const readers = await readReaders(tx, accountId, topicOf(message.kind))
  if (readers === undefined) return false
  const [first, ...others] = addressesFor(message.kind, readers)
  if (first === undefined) return true
  if ((await queueMail(tx, secrets, { to: first, message, once })) === null) return false
  for (const to of others) await queueMail(tx, secrets, { to, message, once: once && `${once} ${to}` })
  return true
}

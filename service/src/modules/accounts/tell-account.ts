import { type Message, queueMail } from '#modules/mail/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { readAccount } from './store.ts'

/** What notifying accounts needs. */
export interface MailContext {
  readonly secrets: SecretBox
  /** The dashboard's address, for links in emails. */
  readonly site: string
}

/** Sends an email to an account's address, unless the account is gone. Of several messages with the same `once`, only the first is sent. */
export async function tellAccount(
  tx: Tx,
  { secrets }: Pick<MailContext, 'secrets'>,
  accountId: string,
  message: Message,
  once?: string,
): Promise<void> {
  const account = await readAccount(tx, accountId)
  if (account !== undefined) await queueMail(tx, secrets, { to: account.email, message, once })
}

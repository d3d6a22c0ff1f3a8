import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { requestId } from '#platform/request-id.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Message } from './messages/index.ts'
import { keepTryingS } from './rules.ts'
import { insertMail } from './store.ts'

/** An email to one person. */
export interface Mail {
  /** The address as its account has it. */
  readonly to: string
  readonly message: Message
  /**
   * A key for the topic of an email that is to be sent only once, such as `key_expiring key_… 14`. A second email with the same key is not written
   * while the first is remembered (30 days).
   */
  readonly once?: string | undefined
}

/**
 * Writes an email that is sent after this transaction commits, and never if it rolls back.
 *
 * Its content is sealed until it is sent, and then deleted, because a link in it may sign a person in. Returns its id, or null if an email with the
 * same `once` exists.
 */
export async function queueMail(tx: Tx, secrets: SecretBox, { to, message, once }: Mail): Promise<string | null> {
  const id = newId('mail')
  const { kind, subject, text, html, usefulForS = keepTryingS } = message
  const content = secrets.seal('mails.content', id, JSON.stringify({ subject, text, html } satisfies Content))
  const isNew = await insertMail(tx, { id, kind, to, content, once: once ?? null, requestId: requestId(), usefulForS })
  if (isNew) tx.wakeAfterCommit('mails_due')
  return isNew ? id : null
}

/** The sealed part of an email. */
export type Content = Pick<Message, 'subject' | 'text' | 'html'>

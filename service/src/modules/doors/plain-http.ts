import { type MailContext, tellAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { keySentInClear } from '#modules/mail/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Database, databaseNow } from '#platform/postgres/index.ts'

/**
 * Refuses a valid key that arrived over plain HTTP at an installation with TLS, because anyone on the path may have read it.
 *
 * The account gets an email and an entry in its audit log, at most once a day for each key: a client repeats its request.
 *
 * @throws Refusal `forbidden`
 */
export async function refusePlainHttp(
  database: Database,
  mail: MailContext,
  { caller: { accountId, keyId, keyName }, actor }: { readonly caller: Caller<'key'>; readonly actor: Actor },
): Promise<void> {
  if (!mail.site.startsWith('https:')) return
  await database.transact(async (tx) => {
    const at = await databaseNow(tx)
    const message = keySentInClear({
      site: mail.site,
      key: { id: keyId, name: keyName },
      at,
      from: actor.address ?? '',
    })
    const once = `key_sent_in_clear ${keyId} ${at.toISOString().slice(0, 10)}`
    if (!(await tellAccount(tx, mail, accountId, message, once))) return
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'key.sent_in_clear',
      summary: `API key ${JSON.stringify(keyName)} was sent without encryption, and refused`,
      reference: { key: keyId },
    })
  })
  throw new Refusal(
    'forbidden',
    'This key was sent without encryption. Use https://, and replace the key, because others may have read it.',
  )
}

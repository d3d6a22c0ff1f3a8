import { recordAudit } from '#modules/audit/index.ts'
import { emailChanged, queueMail } from '#modules/mail/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { linkLifetimeS } from './auth-rules.ts'
import { type AccountDetails, accountByEmail, endOtherSessions, lockAndReadAccount, setEmail } from './store.ts'

const purpose = 'another email address'

/** The sealed content of the link: account, old address, new address, and expiry (ms since 1970). */
interface EmailWish {
  readonly accountId: string
  readonly from: string
  readonly to: string
  readonly until: number
}

/** The token in the email to the new address. Only the account that requested the change can use it. */
export async function tokenOf(db: Db, secrets: SecretBox, account: AccountDetails, to: string): Promise<string> {
  const until = (await databaseNow(db)).getTime() + linkLifetimeS.confirm * 1_000
  const wish: EmailWish = { accountId: account.id, from: account.email, to, until }
  return secrets.sealLink(purpose, JSON.stringify(wish))
}

/**
 * Gives the account the address in a token, ends its other sessions, and notifies the previous address.
 *
 * The person who opens the link must be signed in to the account, so that others who read a misdirected email cannot use it.
 * Throws `conflict` if the token has expired or is another account's, or if the address has an account by now.
 */
export async function confirmEmail(
  tx: Tx,
  { caller, actor, secrets, token }: { caller: Caller<'session'>; actor: Actor; secrets: SecretBox; token: string },
): Promise<AccountDetails> {
  const wish = wishIn(secrets, token)
  const account = await lockAndReadAccount(tx, caller.accountId)
  if (account === undefined) throw new Refusal('signed_out', 'This account has been deleted.')
  if (wish === undefined || wish.accountId !== account.id)
    throw new Refusal('conflict', 'This link is for another account. Sign in to the account that requested it.')
  // The link was opened twice: the second time changes nothing.
  if (account.email === wish.to) return account
  if (account.email !== wish.from || wish.until < (await databaseNow(tx)).getTime())
    throw new Refusal('conflict', 'This link is no longer valid. Request a new one on your account page.')
  if (await accountByEmail(tx, wish.to)) throw taken(wish.to)
  await setEmail(tx, account.id, wish.to).catch((error: unknown) => {
    // If two accounts confirm the same address at once, the unique index admits only the first.
    throw (error as { code?: string }).code === '23505' ? taken(wish.to) : error
  })
  await endOtherSessions(tx, account.id, caller.sessionId)
  await recordAudit(tx, {
    accountId: account.id,
    actor,
    action: 'email.changed',
    summary: 'The email address was changed; other sessions ended',
  })
  const message = emailChanged({ before: wish.from, after: wish.to, at: new Date(), from: actor.address ?? 'unknown' })
  await queueMail(tx, secrets, { to: wish.from, message })
  return { ...account, email: wish.to, emailConfirmed: true }
}

function taken(email: string): Refusal {
  return new Refusal('conflict', `An account for ${email} already exists. Choose another address.`)
}

function wishIn(secrets: SecretBox, token: string): EmailWish | undefined {
  try {
    return JSON.parse(secrets.openLink(purpose, token)) as EmailWish
  } catch {
    return undefined
  }
}

import { randomBytes } from 'node:crypto'
import type { Tx } from '#platform/postgres/index.ts'
import type { AccountMails } from './account-mails.ts'
import { noteSecurity } from './account-notes.ts'
import { sessionDays } from './auth-rules.ts'
import { rememberDevice } from './devices.ts'
import { insertSession } from './sign-up-store.ts'
import type { AccountDetails } from './store.ts'
import { mayTry } from './tries.ts'

/** The browser that signs in. `devices`: the ids in its device cookie. */
interface Browser {
  readonly address: string
  readonly userAgent: string
  readonly devices: readonly string[]
}

/**
 * Signs in an account that proved itself without its password: opens a session, makes the browser a known device, and sends the owner an email if it
 * was not known. Lock the account first.
 *
 * Returns the session and the account as better-auth writes them into cookies, and the ids for the device cookie.
 */
export async function openSession(
  tx: Tx,
  mails: AccountMails,
  account: AccountDetails,
  { address, userAgent, devices }: Browser,
) {
  const token = randomBytes(24).toString('base64url')
  const accountId = account.id
  const session = await insertSession(tx, { accountId, token, days: sessionDays, address, userAgent })
  const known = await rememberDevice(tx, { accountId, sessionId: session.id, ids: devices })
  await noteSecurity(tx, account, 'session.created', address)
  if (!known.wasKnown && (await mayTry(tx, 'device-mail', accountId)))
    await mails.signedIn(tx, account, { from: address, device: userAgent })
  const { createdAt, expiresAt } = session
  return {
    session: { ...session, token, userId: accountId, createdAt, updatedAt: createdAt, expiresAt },
    user: { ...account, emailVerified: account.emailConfirmed, updatedAt: account.createdAt },
    devices: known.ids,
  }
}

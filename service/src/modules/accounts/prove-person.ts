import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database, Db } from '#platform/postgres/index.ts'
import type { Auth } from './auth.ts'
import { codeGiver, type UseCode } from './codes.ts'
import { deviceHash } from './devices.ts'
import { knownDevice } from './devices-store.ts'
import { noPassword } from './provider-rules.ts'
import { type AccountDetails, passwordHash, readAccount } from './store.ts'

/** What a signed-in person gives before an action that weakens the account. */
interface Proof {
  readonly password: string
  readonly code?: string | undefined
}

export type ProvePerson = <T>(
  who: { readonly caller: Caller; readonly actor: Actor },
  proof: Proof,
  work: (account: AccountDetails, useCode: UseCode) => Promise<T>,
) => Promise<T>

/**
 * Refuses a wrong password, and delays the next one after many, because someone who has only stolen a session must not be able to guess it. If
 * two-factor authentication is on, `work` uses the code up in its transaction.
 */
export function provePersonWith(auth: Auth, { db }: Database): ProvePerson {
  return async ({ caller, actor }, { password, code }, work) => {
    const account = await accountOf(db, caller.accountId)
    if (!account.hasPassword) throw noPassword()
    const giver = codeGiver(caller, actor)
    const device = await knownDevice(db, account.id, giver.devices.map(deviceHash))
    const guesser = { subject: account.id, address: giver.address, device: device?.toString('base64url') }
    const isRight = await auth.guesses.checkPassword(guesser, async () => {
      const hash = await passwordHash(db, account.id)
      return hash === undefined ? false : await auth.isPassword(password, hash)
    })
    if (!isRight) throw new Refusal('forbidden', 'The password is wrong.')
    if (!account.twoFactorEnabled) return work(account, async () => undefined)
    return auth.codes.permit(db, giver, code, (useCode) => work(account, useCode))
  }
}

/** Throws `signed_out` if the account was deleted in the meantime. */
export async function accountOf(db: Db, accountId: string): Promise<AccountDetails> {
  const account = await readAccount(db, accountId)
  if (account === undefined) throw new Refusal('signed_out', 'This account has been deleted.')
  return account
}

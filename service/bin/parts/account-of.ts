import { accountByEmail } from '#modules/accounts/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'

/** The account whose email address an operator gives. Throws a Refusal if there is none. */
export async function accountOf(tx: Tx, email: string) {
  const account = await accountByEmail(tx, email)
  if (account === undefined) throw new Refusal('not_found', `No account has the address ${JSON.stringify(email)}.`)
  return account
}

import { accountRoutes, displayText } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { AccountMails } from './account-mails.ts'
import type { Auth } from './auth.ts'
import { confirmEmail, tokenOf } from './change-email.ts'
import { codeGiver, sessionOf, type UseCode } from './codes.ts'
import { type AlsoDelete, deleteAccount } from './delete-account.ts'
import { deviceHash } from './devices.ts'
import { knownDevice } from './devices-store.ts'
import { type AccountDetails, accountByEmail, passwordHash, readAccount, renameAccount } from './store.ts'
import { takeTry } from './tries.ts'

/** What the account routes need from other modules. */
export interface AccountRoutesContext {
  readonly auth: Auth
  readonly mails: AccountMails
  readonly alsoDelete: AlsoDelete
  readonly secrets: SecretBox
  /** The dashboard's address, for links in emails. */
  readonly site: string
}

export function mountAccountRoutes(server: HttpServer, context: AccountRoutesContext): void {
  const { auth, mails, alsoDelete, secrets, site } = context
  const { database } = server
  const { db } = database

  server.mount(accountRoutes.getAccount, async ({ caller }) => {
    return { status: 200, body: toWire(await accountOf(db, caller.accountId)) }
  })

  server.mount(accountRoutes.changeAccount, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      await renameAccount(tx, caller.accountId, body.name)
      await recordAudit(tx, {
        accountId: caller.accountId,
        actor,
        action: 'account.renamed',
        summary: 'The account was renamed',
      })
      return { status: 200, body: toWire(await accountOf(tx, caller.accountId)) }
    }),
  )

  server.mount(accountRoutes.askForEmail, ({ caller, actor, body, transact }) =>
    prove({ caller, actor }, body, async (account, useCode) => {
      const { email } = body
      await takeTry(db, 'mail-by', account.id)
      await takeTry(db, 'address-mail', email)
      return transact(async (tx) => {
        await useCode(tx)
        if (await accountByEmail(tx, email)) await mails.alreadyRegistered(tx, email)
        else {
          const token = await tokenOf(tx, secrets, account, email)
          await mails.confirmNewAddress(tx, email, `${site}/app/confirm-email?token=${token}`)
        }
        return { status: 204 }
      })
    }),
  )

  server.mount(accountRoutes.confirmEmail, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      const account = await confirmEmail(tx, { caller: sessionOf(caller), actor, secrets, token: body.token })
      return { status: 200, body: toWire(account) }
    }),
  )

  server.mount(accountRoutes.deleteAccount, ({ caller, actor, body, transact }) =>
    prove({ caller, actor }, body, (account, useCode) =>
      transact(async (tx) => {
        await useCode(tx)
        await deleteAccount(tx, actor, account.id, { also: alsoDelete, letGo: body.let_go ?? false })
        await mails.deletionStarted(tx, account.email)
        return { status: 204 }
      }),
    ),
  )

  /**
   * Refuses a wrong password, and delays the next one after many, because someone who has only stolen a session must not be able to guess it. If
   * two-factor authentication is on, `work` uses the code up in its transaction.
   */
  async function prove<T>(
    { caller, actor }: { caller: Caller; actor: Actor },
    { password, code }: { password: string; code?: string | undefined },
    work: (account: AccountDetails, useCode: UseCode) => Promise<T>,
  ): Promise<T> {
    const account = await accountOf(db, caller.accountId)
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

  async function accountOf(db: Db, accountId: string): Promise<AccountDetails> {
    const account = await readAccount(db, accountId)
    if (account === undefined) throw new Refusal('signed_out', 'This account has been deleted.')
    return account
  }
}

function toWire(account: AccountDetails) {
  return {
    id: account.id,
    email: account.email,
    name: displayText(account.name),
    email_confirmed: account.emailConfirmed,
    two_factor: account.twoFactorEnabled,
    created_at: account.createdAt.toISOString(),
  }
}

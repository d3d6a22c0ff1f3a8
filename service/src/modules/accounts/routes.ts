import { accountRoutes, displayText } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Logger } from '#platform/log.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { AccountMails } from './account-mails.ts'
import type { Auth } from './auth.ts'
import { confirmEmail, tokenOf } from './change-email.ts'
import { sessionOf } from './codes.ts'
import { type AlsoDelete, deleteAccount } from './delete-account.ts'
import { mountNotificationRoutes } from './notification-routes.ts'
import { mountPasskeyRoutes } from './passkey-routes.ts'
import { accountOf, provePersonWith } from './prove-person.ts'
import { mountProviderRoutes } from './provider-routes.ts'
import { type AccountDetails, accountByEmail, renameAccount, setTimeZone } from './store.ts'
import { takeTry } from './tries.ts'

/** Dependencies of the account routes on other modules. */
export interface AccountRoutesContext {
  readonly auth: Auth
  readonly mails: AccountMails
  readonly alsoDelete: AlsoDelete
  readonly secrets: SecretBox
  readonly log: Logger
  /** The dashboard's address, for links in emails. */
  readonly site: string
}

export function mountAccountRoutes(server: HttpServer, context: AccountRoutesContext): void {
  const { auth, mails, alsoDelete, secrets, log, site } = context
  const { database } = server
  const { db } = database
  const prove = provePersonWith(auth, database)
  mountNotificationRoutes(server, { secrets, site })
  mountPasskeyRoutes(server, auth, prove, { secrets, site })
  mountProviderRoutes(server, { ...auth, log }, prove, { secrets, site })

  server.mount(accountRoutes.getAccount, async ({ caller }) => {
    return { status: 200, body: toWire(await accountOf(db, caller.accountId)) }
  })

  server.mount(accountRoutes.changeAccount, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      const { accountId } = caller
      const { name, time_zone: timeZone } = body
      if (name !== undefined) {
        await renameAccount(tx, accountId, name)
        await recordAudit(tx, { accountId, actor, action: 'account.renamed', summary: 'The account was renamed' })
      }
      if (timeZone !== undefined) {
        await setTimeZone(tx, accountId, timeZone)
        const summary = `Times are shown in ${timeZone ?? 'the time zone of the browser'}`
        await recordAudit(tx, { accountId, actor, action: 'account.time_zone_changed', summary })
      }
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
}

function toWire(account: AccountDetails) {
  return {
    id: account.id,
    email: account.email,
    name: displayText(account.name),
    email_confirmed: account.emailConfirmed,
    two_factor: account.twoFactorEnabled,
    has_password: account.hasPassword,
    time_zone: account.timeZone,
    created_at: account.createdAt.toISOString(),
  }
}

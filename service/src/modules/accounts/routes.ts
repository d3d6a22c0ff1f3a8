import { accountRoutes } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import { Refusal } from '#platform/errors.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import type { AccountMails } from './account-mails.ts'
import type { Auth } from './auth.ts'
import { type AlsoDelete, deleteAccount } from './delete-account.ts'
import { type AccountDetails, passwordHash, readAccount, renameAccount } from './store.ts'
import { takeTry } from './tries.ts'

/** What the account routes need from outside their module. */
export interface AccountRoutesContext {
  readonly auth: Auth
  readonly mails: AccountMails
  readonly alsoDelete: AlsoDelete
}

export function mountAccountRoutes(server: HttpServer, { auth, mails, alsoDelete }: AccountRoutesContext): void {
  const { database } = server
  const { db } = database

  mount(server, accountRoutes.getAccount, async ({ caller }) => {
    return { status: 200, body: toWire(await accountOf(caller.accountId)) }
  })

  mount(server, accountRoutes.changeAccount, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      await renameAccount(tx, caller.accountId, body.name)
      await recordAudit(tx, {
        accountId: caller.accountId,
        actor,
        action: 'account.renamed',
        summary: 'The account got another name',
      })
      return { status: 200, body: toWire({ ...(await accountOf(caller.accountId)), name: body.name }) }
    }),
  )

  mount(server, accountRoutes.deleteAccount, async ({ caller, actor, body, transact }) => {
    const { accountId } = caller
    const account = await accountOf(accountId)
    await takeTry(db, 'sign-in', account.email)
    const hash = await passwordHash(db, accountId)
    if (hash === undefined || !(await auth.isPassword(body.password, hash)))
      throw new Refusal('forbidden', 'The password is wrong.')
    const { code } = body
    if (account.twoFactorEnabled) await auth.codes.begin(db, accountId, code)
    const answer = await transact(async (tx) => {
      if (account.twoFactorEnabled) await auth.codes.use(tx, accountId, code ?? '')
      await deleteAccount(tx, actor, accountId, { also: alsoDelete, letGo: body.let_go ?? false })
      return { status: 204 }
    })
    await mails.deletionStarted(account.email)
    return answer
  })

  async function accountOf(accountId: string): Promise<AccountDetails> {
    const account = await readAccount(db, accountId)
    if (account === undefined) throw new Refusal('signed_out', 'This account was deleted.')
    return account
  }
}

function toWire(account: AccountDetails) {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    email_confirmed: account.emailConfirmed,
    two_factor: account.twoFactorEnabled,
    created_at: account.createdAt.toISOString(),
  }
}

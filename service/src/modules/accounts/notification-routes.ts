import { accountRoutes, displayText, type WireNotificationAddress } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { addAddress, answerLink, changeAddress, muteTopics, readLink, removeAddress } from './change-notifications.ts'
import { mutedTopics, type NotificationAddress, notificationAddresses } from './notification-store.ts'
import { readAccount } from './store.ts'
import type { MailContext } from './tell-account.ts'
import { takeTry } from './tries.ts'

/** The routes about what is emailed, and to whom. */
export function mountNotificationRoutes(server: HttpServer, context: MailContext): void {
  const { db } = server.database

  server.mount(accountRoutes.getNotifications, async ({ caller }) => ({
    status: 200,
    body: await settingsOf(db, caller.accountId),
  }))

  server.mount(accountRoutes.muteNotifications, ({ caller: { accountId }, actor, body, transact }) =>
    transact(async (tx) => {
      await muteTopics(tx, { actor, accountId }, body.muted)
      return { status: 200, body: await settingsOf(tx, accountId) }
    }),
  )

  server.mount(accountRoutes.addNotificationAddress, async ({ caller: { accountId }, actor, body, transact }) => {
    await takeTry(db, 'mail-by', accountId)
    await takeTry(db, 'address-mail', body.email)
    return transact(async (tx) => {
      const address = await addAddress(tx, { actor, accountId }, body, context)
      return { status: 201, body: addressToWire(address) }
    })
  })

  server.mount(accountRoutes.changeNotificationAddress, ({ caller, actor, params, body, transact }) =>
    transact(async (tx) => {
      const { accountId } = caller
      const address = await changeAddress(tx, { actor, accountId }, params.email, body.topics)
      return { status: 200, body: addressToWire(address) }
    }),
  )

  server.mount(accountRoutes.removeNotificationAddress, ({ caller: { accountId }, actor, params, transact }) =>
    transact(async (tx) => {
      await removeAddress(tx, { actor, accountId }, params.email)
      return { status: 204 }
    }),
  )

  server.mount(accountRoutes.readNotificationLink, async ({ body }) => {
    const { account, address } = await readLink(db, context.secrets, body.token)
    const { email, topics, state } = addressToWire(address)
    return { status: 200, body: { account: account.email, email, topics, state } }
  })

  server.mount(accountRoutes.answerNotificationLink, ({ body, transact }) =>
    transact(async (tx) => {
      await answerLink(tx, context, body)
      return { status: 204 }
    }),
  )
}

async function settingsOf(db: Db, accountId: string) {
  const account = await readAccount(db, accountId)
  if (account === undefined) throw new Refusal('signed_out', 'This account has been deleted.')
  const addresses = await notificationAddresses(db, accountId)
  return { email: account.email, muted: await mutedTopics(db, accountId), addresses: addresses.map(addressToWire) }
}

function addressToWire({ email, topics, isConfirmed, createdAt }: NotificationAddress): WireNotificationAddress {
  const state = isConfirmed ? 'confirmed' : 'unconfirmed'
  return { email: displayText(email), topics, state, created_at: createdAt.toISOString() }
}

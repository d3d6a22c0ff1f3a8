import { maxNotificationAddresses, type NotificationTopic } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import { confirmNotifications, notificationAddressAdded, queueMail } from '#modules/mail/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, databaseNow, type Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import {
  confirmAddressOf,
  confirmDays,
  dropAddress,
  type NotificationAddress,
  notificationAddress,
  notificationAddresses,
  putAddress,
  setMuted,
  setTopics,
} from './notification-store.ts'
import { type AccountDetails, lockAccount, lockAndReadAccount, readAccount } from './store.ts'
import { type MailContext, tellAccount } from './tell-account.ts'

const purpose = 'notification address'

/** The sealed content of a link: account, address, and the time (ms since 1970) until which it confirms. */
interface Linked {
  readonly accountId: string
  readonly email: string
  readonly until: number
}

/** The account's own session changes a setting: the actor and the account. */
interface Changer {
  readonly actor: Actor
  readonly accountId: string
}

export async function muteTopics(
  tx: Tx,
  { actor, accountId }: Changer,
  muted: readonly NotificationTopic[],
): Promise<void> {
  await lockAccount(tx, accountId)
  await setMuted(tx, accountId, [...new Set(muted)])
  const what = muted.length === 0 ? 'All emails are sent' : `Optional emails about ${muted.join(', ')} are off`
  await note(tx, { actor, accountId }, 'notifications.changed', `${what}, to the address of the account`)
}

/**
 * Adds an address, and sends a link to it. The address gets nothing else before its reader has confirmed. A repeated call resends the link.
 *
 * Throws `conflict` if it is the account's own, is confirmed already, or would be one too many.
 */
export async function addAddress(
  tx: Tx,
  { actor, accountId }: Changer,
  wish: { readonly email: string; readonly topics: readonly NotificationTopic[] },
  { secrets, site }: MailContext,
): Promise<NotificationAddress> {
  const account = await lockAndReadAccount(tx, accountId)
  if (account === undefined) throw new Refusal('signed_out', 'This account has been deleted.')
  const { email } = wish
  if (email.toLowerCase() === account.email)
    throw new Refusal('conflict', 'This is the address of your account. It already gets notifications.')
  const present = await notificationAddresses(tx, accountId)
  const same = present.find((address) => address.email === email)
  if (same?.isConfirmed) throw new Refusal('conflict', `${email} is already confirmed. Change its topics instead.`)
  if (same === undefined && present.length >= maxNotificationAddresses)
    throw new Refusal('conflict', `An account can have ${maxNotificationAddresses} addresses. Remove one first.`)
  await putAddress(tx, accountId, { email, topics: [...new Set(wish.topics)] })
  await note(tx, { actor, accountId }, 'notifications.address_added', `${email} was invited to get notifications`)
  const validForS = confirmDays * 24 * 60 * 60
  const linked: Linked = { accountId, email, until: (await databaseNow(tx)).getTime() + validForS * 1_000 }
  const link = `${site}/app/notifications?token=${secrets.sealLink(purpose, JSON.stringify(linked))}`
  await queueMail(tx, secrets, {
    to: email,
    message: confirmNotifications({ account: account.email, link, validForS }),
  })
  return added(await notificationAddress(tx, accountId, email))
}

/** Throws `not_found` if the account has no such address. */
export async function changeAddress(
  tx: Tx,
  { actor, accountId }: Changer,
  email: string,
  topics: readonly NotificationTopic[],
): Promise<NotificationAddress> {
  await lockAccount(tx, accountId)
  if (!(await setTopics(tx, accountId, email, [...new Set(topics)]))) throw noSuchAddress()
  await note(tx, { actor, accountId }, 'notifications.changed', `${email} gets emails about ${topics.join(', ')}`)
  return added(await notificationAddress(tx, accountId, email))
}

/** Throws `not_found` if the account has no such address. */
export async function removeAddress(tx: Tx, { actor, accountId }: Changer, email: string): Promise<void> {
  await lockAccount(tx, accountId)
  if (!(await dropAddress(tx, accountId, email))) throw noSuchAddress()
  await note(tx, { actor, accountId }, 'notifications.address_removed', `${email} no longer gets notifications`)
}

/** What a link is for. Throws `conflict` if it no longer works. */
export async function readLink(
  db: Db,
  secrets: SecretBox,
  token: string,
): Promise<{ readonly account: AccountDetails; readonly address: NotificationAddress; readonly until: number }> {
  const linked = linkedIn(secrets, token)
  const account = linked && (await readAccount(db, linked.accountId))
  const address = account && (await notificationAddress(db, account.id, linked.email))
  if (linked === undefined || account === undefined || address === undefined)
    throw new Refusal('conflict', 'This link no longer works. The address gets no notifications.')
  return { account, address, until: linked.until }
}

/**
 * Starts or stops the notifications to the address of a link. Anyone who has the link can read the emails of that address. The owner of the account
 * is notified of a new reader.
 */
export async function answerLink(
  tx: Tx,
  { secrets, site }: MailContext,
  { token, answer }: { token: string; answer: 'confirm' | 'stop' },
): Promise<void> {
  const { accountId } = linkedIn(secrets, token) ?? {}
  if (accountId !== undefined) await lockAccount(tx, accountId)
  const { account, address, until } = await readLink(tx, secrets, token)
  const changer: Changer = { actor: actorNamed('system', 'notifications'), accountId: account.id }
  if (answer === 'stop') return await removeAddress(tx, changer, address.email)
  if (address.isConfirmed) return
  const now = await databaseNow(tx)
  if (until < now.getTime())
    throw new Refusal('conflict', `This link has expired. Ask ${account.email} to add the address again.`)
  await confirmAddressOf(tx, account.id, address.email)
  await note(tx, changer, 'notifications.address_confirmed', `${address.email} gets notifications from now on`)
  await tellAccount(
    tx,
    { secrets },
    account.id,
    notificationAddressAdded({ site, address: address.email, topics: address.topics, at: now }),
  )
}

function linkedIn(secrets: SecretBox, token: string): Linked | undefined {
  try {
    return JSON.parse(secrets.openLink(purpose, token)) as Linked
  } catch {
    return undefined
  }
}

function added(address: NotificationAddress | undefined): NotificationAddress {
  if (address === undefined) throw new Error('the address that was just written is not there')
  return address
}

function noSuchAddress(): Refusal {
  return new Refusal('not_found', 'This account has no such address.')
}

function note(tx: Tx, { actor, accountId }: Changer, action: string, summary: string): Promise<void> {
  return recordAudit(tx, { accountId, actor, action, summary })
}

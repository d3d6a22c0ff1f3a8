import { accountAddress } from '@zonewright/contract'
import { lockAccount, readAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { type Message, queueMail } from '#modules/mail/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { isUuid, newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { mayInvite, type Shared, yoursAlready } from './rules.ts'
import { type ManagerRow, ManagerStore, type SharedTables } from './store.ts'

/** A zone or a domain. */
export interface Thing {
  readonly id: string | number
  readonly name: string
  readonly accountId: string
}

/** Access to the shared objects, which their module provides. */
export interface SharedKind<T extends Thing> {
  readonly word: Shared
  readonly tables: SharedTables
  /** The object's current state, with its row locked; undefined: it no longer exists. */
  lock(tx: Tx, thing: Pick<T, 'id' | 'name'>): Promise<T | undefined>
  noSuch(): Refusal
  /** Its name in the audit log. */
  audited(thing: T): { readonly zone: { readonly id: string; readonly name: string } } | { readonly domain: string }
  invitation(about: { site: string; name: string; inviter: string; email: string }): Message
}

/** Dependencies of inviting on other modules. */
export interface InvitationMails {
  readonly secrets: SecretBox
  /** The dashboard's address, for the link in the email. */
  readonly site: string
}

/** How zones, or domains, are shared: an owner invites managers by email, who accept or decline, and can leave. */
export class Sharing<T extends Thing> {
  readonly store: ManagerStore<T['id']>
  readonly #kind: SharedKind<T>

  constructor(kind: SharedKind<T>) {
    this.#kind = kind
    this.store = new ManagerStore(kind.tables)
  }

  /**
   * Invites the owner of an address. Nothing is shared until the account with exactly that address accepts. The response does not reveal whether the
   * account exists.
   */
  async invite(
    tx: Tx,
    actor: Actor,
    { ownerId, thing: asked, email: written }: { ownerId: string; thing: Pick<T, 'id' | 'name'>; email: string },
    { secrets, site }: InvitationMails,
  ): Promise<ManagerRow> {
    await lockAccount(tx, ownerId) // so that its invitations can be counted
    const thing = await this.#kind.lock(tx, asked)
    const owner = await readAccount(tx, ownerId)
    if (thing?.accountId !== ownerId || owner === undefined) throw this.#kind.noSuch()
    const email = accountAddress(written)
    mayInvite(this.#kind.word, email, await this.store.guest(tx, thing.id, ownerId, email))
    const invited = await this.store.invite(tx, {
      id: newId('inv'),
      thing: thing.id,
      email,
      inviter: owner.email,
      accountId: ownerId,
    })
    await this.#note(tx, actor, thing, 'invited', `${email} was invited to manage ${thing.name}`)
    const message = this.#kind.invitation({ site, name: thing.name, inviter: owner.email, email })
    await queueMail(tx, secrets, { to: email, message })
    return invited
  }

  /** Makes the account a manager of the invitation's object, which the account can see from now on. */
  async accept(tx: Tx, actor: Actor, accountId: string, id: string): Promise<T> {
    const account = await readAccount(tx, accountId)
    if (account?.emailConfirmed !== true)
      throw new Refusal('email_unconfirmed', 'Confirm your email address first. The invitation was sent to it.')
    const thing = await this.#take(tx, accountId, id)
    // The owner's address has become the one that was invited.
    if (thing.accountId === accountId) throw yoursAlready(this.#kind.word)
    await this.store.add(tx, thing.id, accountId)
    await this.#note(tx, actor, thing, 'accepted', `${account.email} became a manager of ${thing.name}`)
    return thing
  }

  async decline(tx: Tx, actor: Actor, accountId: string, id: string): Promise<void> {
    const thing = await this.#take(tx, accountId, id)
    await this.#note(tx, actor, thing, 'declined', `${actor.name} declined to manage ${thing.name}`)
  }

  /**
   * Ends someone's access: the owner removes a manager or cancels an invitation, or a manager leaves. All consequences take effect
   * with the commit.
   */
  async remove(
    tx: Tx,
    actor: Actor,
    { callerId, thing: asked, whom: written }: { callerId: string; thing: Pick<T, 'id' | 'name'>; whom: string },
  ): Promise<void> {
    const { word, lock, noSuch } = this.#kind
    const thing = await lock(tx, asked)
    if (thing === undefined) throw noSuch()
    const whom = accountAddress(written)
    const isLeaving = whom === callerId
    if (thing.accountId !== callerId && !isLeaving)
      throw new Refusal('forbidden', `Only the owner of a ${word} can remove its managers. A manager can leave.`)
    const isGone = isUuid(whom)
      ? await this.store.remove(tx, thing.id, whom)
      : await this.store.withdrawInvitation(tx, thing.id, whom)
    if (!isGone) throw new Refusal('not_found', `This ${word} has no such manager and no invitation for that address.`)
    const summary = isLeaving
      ? `${actor.name} no longer manages ${thing.name}`
      : `A manager of ${thing.name} was removed`
    await this.#note(tx, actor, thing, 'removed', summary, { manager: whom })
  }

  /** Locks the object of an open invitation of this account, and deletes the invitation. */
  async #take(tx: Tx, accountId: string, id: string): Promise<T> {
    const [invitation] = await this.store.invitations(tx, accountId, { id, max: 1 })
    const thing = invitation && (await this.#kind.lock(tx, invitation.thing))
    // It was deleted in the meantime, or the invitation was cancelled.
    if (thing === undefined || !(await this.store.takeInvitation(tx, id)))
      throw new Refusal('not_found', 'This invitation no longer exists, or it is for another account.')
    return thing
  }

  #note(
    tx: Tx,
    actor: Actor,
    thing: T,
    done: string,
    summary: string,
    reference?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { accountId } = thing
    const about = { ...this.#kind.audited(thing), ...(reference && { reference }) }
    return recordAudit(tx, { accountId, actor, action: `manager.${done}`, summary, ...about })
  }
}

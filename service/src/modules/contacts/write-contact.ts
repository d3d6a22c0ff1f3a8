import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type ContactDetails, checkContact } from './rules.ts'
import { type Contact, countContacts, deleteContact, insertContact, lockContact, updateContact } from './store.ts'

/** Maximum number of contacts per account. */
const maxContacts = 500

/** The account of the contact, and the actor. */
export interface ContactOwner {
  readonly accountId: string
  readonly actor: Actor
}

/** Throws `contact_invalid` with every error, or `conflict` if the account already has the maximum number. */
export async function createContact(tx: Tx, owner: ContactOwner, given: ContactDetails): Promise<Contact> {
  const details = checked(given)
  await lockAccount(tx, owner.accountId) // so that its contacts can be counted
  if ((await countContacts(tx, owner.accountId)) >= maxContacts)
    throw new Refusal('conflict', `An account can have at most ${maxContacts} contacts. Delete one first.`)
  const contact = await insertContact(tx, owner.accountId, newId('con'), details)
  await note(tx, owner, 'created', contact)
  return contact
}

/** Undefined: the contact does not exist. */
export async function changeContact(
  tx: Tx,
  owner: ContactOwner,
  id: string,
  change: Partial<ContactDetails>,
): Promise<Contact | undefined> {
  const before = await lockContact(tx, owner.accountId, id)
  if (before === undefined) return undefined
  const { id: _, createdAt, updatedAt, ...details } = before
  const contact = await updateContact(tx, id, checked({ ...details, ...change }))
  await note(tx, owner, 'changed', contact)
  return contact
}

/** Orders and domains keep the data that they were created with. */
export async function removeContact(tx: Tx, owner: ContactOwner, id: string): Promise<boolean> {
  const name = await deleteContact(tx, owner.accountId, id)
  if (name !== undefined) await note(tx, owner, 'deleted', { id, name })
  return name !== undefined
}

function checked(given: ContactDetails): ContactDetails {
  const { details, faults } = checkContact(given)
  if (faults.length > 0) throw new Refusal('contact_invalid', 'The contact is not valid.', { details: faults })
  return details
}

function note(tx: Tx, owner: ContactOwner, done: string, contact: { id: string; name: string }): Promise<void> {
  const summary = `Contact ${contact.name} was ${done}`
  return recordAudit(tx, { ...owner, action: `contact.${done}`, summary, reference: { contact: contact.id } })
}

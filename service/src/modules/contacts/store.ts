import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { ContactDetails } from './rules.ts'

/** A contact of an account. */
export interface Contact extends ContactDetails {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = sql`
  id, name, organization, email, phone, address1, address2, city, state, postal_code as "postalCode", country, extra,
  created_at as "createdAt", updated_at as "updatedAt"`

export async function insertContact(tx: Tx, accountId: string, id: string, details: ContactDetails): Promise<Contact> {
  const { rows } = await sql<Contact>`
    insert into contacts (id, account_id, name, organization, email, phone, address1, address2, city, state, postal_code, country, extra)
    values (${id}, ${accountId}, ${details.name}, ${details.organization}, ${details.email}, ${details.phone}, ${details.address1},
      ${details.address2}, ${details.city}, ${details.state}, ${details.postalCode}, ${details.country}, ${JSON.stringify(details.extra)}::jsonb)
    returning ${columns}`.execute(tx)
  return rows[0] as Contact
}

export async function countContacts(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from contacts where account_id = ${accountId}`.execute(tx)
  return rows[0]?.n ?? 0
}

export async function readContact(db: Db, accountId: string, id: string): Promise<Contact | undefined> {
  const { rows } = await sql<Contact>`
    select ${columns} from contacts where id = ${id} and account_id = ${accountId}`.execute(db)
  return rows[0]
}

/** The same, with the row locked, so that changes run one after the other. */
export async function lockContact(tx: Tx, accountId: string, id: string): Promise<Contact | undefined> {
  const { rows } = await sql<Contact>`
    select ${columns} from contacts where id = ${id} and account_id = ${accountId} for update`.execute(tx)
  return rows[0]
}

export async function updateContact(tx: Tx, id: string, details: ContactDetails): Promise<Contact> {
  const { rows } = await sql<Contact>`
    update contacts set name = ${details.name}, organization = ${details.organization}, email = ${details.email}, phone = ${details.phone},
      address1 = ${details.address1}, address2 = ${details.address2}, city = ${details.city}, state = ${details.state},
      postal_code = ${details.postalCode}, country = ${details.country}, extra = ${JSON.stringify(details.extra)}::jsonb, updated_at = app_now()
    where id = ${id} returning ${columns}`.execute(tx)
  return rows[0] as Contact
}

export async function deleteContact(tx: Tx, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from contacts where id = ${id} and account_id = ${accountId} returning name`.execute(tx)
  return rows[0]?.name
}

/** Orders and domains keep their copies. */
export async function forgetContacts(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from contacts where account_id = ${accountId}`.execute(tx)
}

export async function listContacts(db: Db, accountId: string, after: string, limit: number): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select ${columns} from contacts where account_id = ${accountId} and id > ${after} order by id limit ${limit}`.execute(
    db,
  )
  return rows
}

import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** The domains that an account would give up. */
export interface OwnDomain {
  readonly name: string
  readonly expiresAt: Date | null
}

/** The domains of an account, by name. */
export async function domainsOf(db: Db, accountId: string): Promise<OwnDomain[]> {
  const { rows } = await sql<OwnDomain>`
    select name, expires_at as "expiresAt" from domains where account_id = ${accountId} and state <> 'gone' order by name`.execute(
    db,
  )
  return rows
}

/**
 * Ends an account's access to domains. Its own domains stay registered to their registrants until the registry deletes them. No one can renew or
 * manage them any longer. For domains that are already gone, the registrant's contact is removed.
 */
export async function leaveEveryDomain(tx: Tx, accountId: string): Promise<void> {
  const own = sql`(select id from domains where account_id = ${accountId})`
  await sql`update domains set auto_renew = false where account_id = ${accountId} and state <> 'gone'`.execute(tx)
  await sql`update domains set contact = null where account_id = ${accountId} and state = 'gone'`.execute(tx)
  await sql`
    delete from api_key_domains
    where domain_id in ${own} or key_id in (select id from api_keys where account_id = ${accountId})`.execute(tx)
  await sql`delete from domain_managers where account_id = ${accountId} or domain_id in ${own}`.execute(tx)
  await sql`delete from domain_invitations where domain_id in ${own}`.execute(tx)
}

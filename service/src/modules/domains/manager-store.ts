import { type Guest, invitationDays, type ManagerRow } from '#modules/sharing/index.ts'
import { type Db, sql, type Tx } from '#platform/db.ts'

/** The managers of a domain, and those invited; with `only`, no other account's. */
export async function readManagers(db: Db, domainId: number, only: string | undefined): Promise<ManagerRow[]> {
  const { rows } = await sql<ManagerRow>`
    select * from (
      select m.account_id as "accountId", a.email, m.created_at as since, null::timestamptz as "expiresAt"
      from domain_managers m join accounts a on a.id = m.account_id
      where m.domain_id = ${domainId} and a.deleted_at is null and (${only ?? null}::uuid is null or m.account_id = ${only ?? null})
      union all
      select null, i.email, i.created_at, i.expires_at from domain_invitations i
      where i.domain_id = ${domainId} and i.expires_at > app_now() and ${only ?? null}::uuid is null
    ) everybody`.execute(db)
  return rows
}

/** What is known of an address before it is invited. Lock the account before. */
export async function readGuest(tx: Tx, domainId: number, ownerId: string, email: string): Promise<Guest> {
  const { rows } = await sql<Guest>`
    select
      exists (select from accounts where id = ${ownerId} and email = ${email}) as "isOwner",
      exists (select from domain_managers m join accounts a on a.id = m.account_id
        where m.domain_id = ${domainId} and a.email = ${email}) as "isManager",
      exists (select from domain_invitations where domain_id = ${domainId} and email = ${email} and expires_at > app_now()) as "isInvited",
      (select count(*) from domain_managers where domain_id = ${domainId})::int
        + (select count(*) from domain_invitations where domain_id = ${domainId} and expires_at > app_now())::int as managers,
      (select coalesce(sum(sent), 0) from domain_invitation_hours
        where account_id = ${ownerId} and hour > app_now() - interval '24 hours')::int as "invitedToday"`.execute(tx)
  return rows[0] as Guest
}

/** Writes the invitation; one of this address and domain there is becomes it, so that an older mail leads to nothing. */
export async function upsertInvitation(
  tx: Tx,
  invitation: { id: string; domainId: number; email: string; inviter: string; accountId: string },
): Promise<ManagerRow> {
  const { rows } = await sql<ManagerRow>`
    insert into domain_invitations (id, domain_id, email, inviter, expires_at)
    values (${invitation.id}, ${invitation.domainId}, ${invitation.email}, ${invitation.inviter},
      app_now() + make_interval(days => ${invitationDays}))
    on conflict (domain_id, email) do update
      set id = excluded.id, inviter = excluded.inviter, created_at = app_now(), expires_at = excluded.expires_at
    returning null as "accountId", email, created_at as since, expires_at as "expiresAt"`.execute(tx)
  await sql`delete from domain_invitation_hours
    where account_id = ${invitation.accountId} and hour <= app_now() - interval '24 hours'`.execute(tx)
  await sql`
    insert into domain_invitation_hours as hours (account_id, hour, sent) values (${invitation.accountId}, date_trunc('hour', app_now()), 1)
    on conflict (account_id, hour) do update set sent = hours.sent + 1`.execute(tx)
  return rows[0] as ManagerRow
}

/** An invitation as the person invited reads it. */
export interface DomainInvitation {
  readonly id: string
  readonly domain: string
  readonly inviter: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Open invitations of an account's own address to domains that are here, the latest first; with `id`, that one alone. */
export async function readInvitations(
  db: Db,
  accountId: string,
  { id = null, before = null, max }: { id?: string | null; before?: string | null; max: number },
): Promise<DomainInvitation[]> {
  const { rows } = await sql<DomainInvitation>`
    select i.id, d.name as domain, i.inviter, i.created_at as "createdAt", i.expires_at as "expiresAt"
    from domain_invitations i join domains d on d.id = i.domain_id join accounts a on a.email = i.email
    where a.id = ${accountId} and i.expires_at > app_now() and d.state <> 'gone' and (${id}::text is null or i.id = ${id})
      and (${before}::text is null or i.id < ${before})
    order by i.id desc limit ${max}`.execute(db)
  return rows
}

/** False: it was not there any more. */
export async function deleteInvitation(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`delete from domain_invitations where id = ${id} returning 1`.execute(tx)
  return rows.length > 0
}

export async function withdrawInvitation(tx: Tx, domainId: number, email: string): Promise<boolean> {
  const { rows } = await sql`
    delete from domain_invitations where domain_id = ${domainId} and email = ${email} returning 1`.execute(tx)
  return rows.length > 0
}

export async function insertManager(tx: Tx, domainId: number, accountId: string): Promise<void> {
  await sql`
    insert into domain_managers (domain_id, account_id) values (${domainId}, ${accountId}) on conflict do nothing`.execute(
    tx,
  )
}

/** False: it was none. */
export async function deleteManager(tx: Tx, domainId: number, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from domain_managers where domain_id = ${domainId} and account_id = ${accountId} returning 1`.execute(tx)
  return rows.length > 0
}

/** A domain that is gone has no managers, and nobody is invited to it. */
export async function deleteManagers(tx: Tx, domainId: number): Promise<void> {
  await sql`delete from domain_managers where domain_id = ${domainId}`.execute(tx)
  await sql`delete from domain_invitations where domain_id = ${domainId}`.execute(tx)
}

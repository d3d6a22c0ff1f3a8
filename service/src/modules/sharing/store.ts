import { type Db, sql, type Tx } from '#platform/db.ts'
import { type Guest, invitationDays } from './rules.ts'

/** Somebody who manages a zone or a domain, or is invited to. */
export interface ManagerRow {
  readonly accountId: string | null
  readonly email: string
  readonly since: Date
  readonly expiresAt: Date | null
}

/** The managers of a zone, and those invited; with `only`, no other account's. */
export async function readManagers(db: Db, zoneId: string, only: string | undefined): Promise<ManagerRow[]> {
  const { rows } = await sql<ManagerRow>`
    select * from (
      select m.account_id as "accountId", a.email, m.created_at as since, null::timestamptz as "expiresAt"
      from zone_managers m join accounts a on a.id = m.account_id
      where m.zone_id = ${zoneId} and a.deleted_at is null and (${only ?? null}::uuid is null or m.account_id = ${only ?? null})
      union all
      select null, i.email, i.created_at, i.expires_at from zone_invitations i
      where i.zone_id = ${zoneId} and i.expires_at > app_now() and ${only ?? null}::uuid is null
    ) everybody`.execute(db)
  return rows
}

export async function readGuest(db: Db, zoneId: string, ownerId: string, email: string): Promise<Guest> {
  const { rows } = await sql<Guest>`
    select
      exists (select from accounts where id = ${ownerId} and email = ${email}) as "isOwner",
      exists (select from zone_managers m join accounts a on a.id = m.account_id where m.zone_id = ${zoneId} and a.email = ${email}) as "isManager",
      exists (select from zone_invitations where zone_id = ${zoneId} and email = ${email} and expires_at > app_now()) as "isInvited",
      (select count(*) from zone_managers where zone_id = ${zoneId})::int
        + (select count(*) from zone_invitations where zone_id = ${zoneId} and expires_at > app_now())::int as managers,
      (select coalesce(sum(sent), 0) from zone_invitation_hours where account_id = ${ownerId} and hour > app_now() - interval '24 hours')::int as "invitedToday"`.execute(
    db,
  )
  if (rows[0] === undefined) throw new Error('no answer')
  return rows[0]
}

/** Writes the invitation; one of this address and zone there is becomes it, so that an older mail leads to nothing. */
export async function upsertInvitation(
  tx: Tx,
  invitation: { id: string; zoneId: string; email: string; inviter: string; accountId: string },
): Promise<ManagerRow> {
  const { rows } = await sql<ManagerRow>`
    insert into zone_invitations (id, zone_id, email, inviter, expires_at)
    values (${invitation.id}, ${invitation.zoneId}, ${invitation.email}, ${invitation.inviter}, app_now() + make_interval(days => ${invitationDays}))
    on conflict (zone_id, email) do update
      set id = excluded.id, inviter = excluded.inviter, created_at = app_now(), expires_at = excluded.expires_at
    returning null as "accountId", email, created_at as since, expires_at as "expiresAt"`.execute(tx)
  await sql`
    delete from zone_invitation_hours where account_id = ${invitation.accountId} and hour <= app_now() - interval '24 hours'`.execute(
    tx,
  )
  await sql`
    insert into zone_invitation_hours as hours (account_id, hour, sent) values (${invitation.accountId}, date_trunc('hour', app_now()), 1)
    on conflict (account_id, hour) do update set sent = hours.sent + 1`.execute(tx)
  if (rows[0] === undefined) throw new Error('the invitation was not written')
  return rows[0]
}

/** An invitation as the person invited reads it. */
export interface InvitationRow {
  readonly id: string
  readonly zoneId: string
  readonly zone: string
  readonly inviter: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const columns = sql`
  i.id, i.zone_id as "zoneId", z.name as zone, i.inviter, i.created_at as "createdAt", i.expires_at as "expiresAt"`
/** Open invitations of an account's own address to zones that are there. */
const openOf = (accountId: string) => sql`
  from zone_invitations i join zones z on z.id = i.zone_id join accounts a on a.email = i.email
  where a.id = ${accountId} and i.expires_at > app_now() and z.state <> 'deleted'`

/** The latest first. */
export async function readInvitations(
  db: Db,
  accountId: string,
  { before, max }: { before: string | null; max: number },
): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${columns} ${openOf(accountId)} and (${before}::text is null or i.id < ${before}) order by i.id desc limit ${max}`.execute(
    db,
  )
  return rows
}

export async function readInvitation(db: Db, accountId: string, id: string): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`select ${columns} ${openOf(accountId)} and i.id = ${id}`.execute(db)
  return rows[0]
}

/** False: it was not there any more. */
export async function deleteInvitation(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`delete from zone_invitations where id = ${id} returning 1`.execute(tx)
  return rows.length > 0
}

export async function withdrawInvitation(tx: Tx, zoneId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    delete from zone_invitations where zone_id = ${zoneId} and email = ${email} returning 1`.execute(tx)
  return rows.length > 0
}

export async function insertManager(tx: Tx, zoneId: string, accountId: string): Promise<void> {
  await sql`
    insert into zone_managers (zone_id, account_id) values (${zoneId}, ${accountId}) on conflict do nothing`.execute(tx)
}

/** Ends an account's part in a zone: its access, and the zone's place in its keys' scopes. False: it had none. */
export async function deleteManager(tx: Tx, zoneId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from zone_managers where zone_id = ${zoneId} and account_id = ${accountId} returning 1`.execute(tx)
  await sql`
    delete from api_key_zones where zone_id = ${zoneId} and key_id in (select id from api_keys where account_id = ${accountId})`.execute(
    tx,
  )
  return rows.length > 0
}

/** Ends an account's part in everybody else's zones, as `deleteManager` does in one. */
export async function leaveEveryZone(tx: Tx, accountId: string): Promise<void> {
  await sql`
    with gone as (delete from zone_managers where account_id = ${accountId} returning zone_id)
    delete from api_key_zones where zone_id in (select zone_id from gone)
      and key_id in (select id from api_keys where account_id = ${accountId})`.execute(tx)
}

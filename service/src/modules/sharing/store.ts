import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { type Guest, invitationDays } from './rules.ts'

const invitationTables = ['zone_invitations', 'domain_invitations'] as const

/** The tables of zones or domains with their managers, invitations and key scopes. Both sets have the same shape. */
export interface SharedTables {
  /** The shared objects: with `id`, `name`, `account_id`, and a `state` that says whether they still exist. */
  readonly things: 'zones' | 'domains'
  readonly managers: 'zone_managers' | 'domain_managers'
  readonly invitations: (typeof invitationTables)[number]
  /** The keys that have the object in their scope. */
  readonly scopes: 'api_key_zones' | 'api_key_domains'
  /** The column with the object's id in these three tables. */
  readonly id: 'zone_id' | 'domain_id'
}

/** Someone who manages a zone or a domain, or is invited to. */
export interface ManagerRow {
  readonly accountId: string | null
  readonly email: string
  readonly since: Date
  readonly expiresAt: Date | null
}

/** An invitation as the person invited reads it. */
export interface InvitationRow<Id> {
  readonly id: string
  /** The object that the invitation is for. */
  readonly thing: { readonly id: Id; readonly name: string }
  readonly inviter: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Managers and invitations of the shared objects, in tables. */
export class ManagerStore<Id extends string | number> {
  readonly #things: Statement
  readonly #managers: Statement
  readonly #invitations: Statement
  readonly #scopes: Statement
  readonly #id: Statement

  constructor({ things, managers, invitations, scopes, id }: SharedTables) {
    this.#things = sql.table(things)
    this.#managers = sql.table(managers)
    this.#invitations = sql.table(invitations)
    this.#scopes = sql.table(scopes)
    this.#id = sql.ref(id)
  }

  /** The managers and invited people of one object; with `only`, just this account as a manager. */
  async managers(db: Db, thing: Id, only: string | undefined): Promise<ManagerRow[]> {
    const { rows } = await sql<ManagerRow>`
      select * from (
        select m.account_id as "accountId", a.email, m.created_at as since, null::timestamptz as "expiresAt"
        from ${this.#managers} m join accounts a on a.id = m.account_id
        where m.${this.#id} = ${thing} and a.deleted_at is null and (${only ?? null}::uuid is null or m.account_id = ${only ?? null})
        union all
        select null, i.email, i.created_at, i.expires_at from ${this.#invitations} i
        where i.${this.#id} = ${thing} and i.expires_at > app_now() and ${only ?? null}::uuid is null
      ) everybody`.execute(db)
    return rows
  }

  /** The state of an address before it is invited. Lock the account first. */
  async guest(db: Db, thing: Id, ownerId: string, email: string): Promise<Guest> {
    const { rows } = await sql<Guest>`
      select
        exists (select from accounts where id = ${ownerId} and email = ${email}) as "isOwner",
        exists (select from ${this.#managers} m join accounts a on a.id = m.account_id
          where m.${this.#id} = ${thing} and a.email = ${email}) as "isManager",
        exists (select from ${this.#invitations} where ${this.#id} = ${thing} and email = ${email} and expires_at > app_now()) as "isInvited",
        (select count(*) from ${this.#managers} m join accounts a on a.id = m.account_id
          where m.${this.#id} = ${thing} and a.deleted_at is null)::int
          + (select count(*) from ${this.#invitations} where ${this.#id} = ${thing} and expires_at > app_now())::int as managers,
        (select coalesce(sum(sent), 0) from invitation_hours
          where account_id = ${ownerId} and hour > app_now() - interval '24 hours')::int as "invitedToday"`.execute(db)
    return rows[0] as Guest
  }

  /** Writes the invitation. It replaces an existing one to the same address, so that the link of an older email stops working. */
  async invite(
    tx: Tx,
    invitation: { id: string; thing: Id; email: string; inviter: string; accountId: string },
  ): Promise<ManagerRow> {
    const { id, thing, email, inviter, accountId } = invitation
    const { rows } = await sql<ManagerRow>`
      insert into ${this.#invitations} (id, ${this.#id}, email, inviter, expires_at)
      values (${id}, ${thing}, ${email}, ${inviter}, app_now() + make_interval(days => ${invitationDays}))
      on conflict (${this.#id}, email) do update
        set id = excluded.id, inviter = excluded.inviter, created_at = app_now(), expires_at = excluded.expires_at
      returning null as "accountId", email, created_at as since, expires_at as "expiresAt"`.execute(tx)
    await sql`
      delete from invitation_hours where account_id = ${accountId} and hour <= app_now() - interval '24 hours'`.execute(
      tx,
    )
    await sql`
      insert into invitation_hours as hours (account_id, hour, sent) values (${accountId}, date_trunc('hour', app_now()), 1)
      on conflict (account_id, hour) do update set sent = hours.sent + 1`.execute(tx)
    return rows[0] as ManagerRow
  }

  /** Open invitations to an account's own address for existing objects, latest first; with `id`, only that one. */
  async invitations(
    db: Db,
    accountId: string,
    { id = null, before = null, max }: { id?: string | null; before?: string | null; max: number },
  ): Promise<InvitationRow<Id>[]> {
    const { rows } = await sql<InvitationRow<Id>>`
      select i.id, json_build_object('id', t.id, 'name', t.name) as thing, i.inviter, i.created_at as "createdAt", i.expires_at as "expiresAt"
      from ${this.#invitations} i join ${this.#things} t on t.id = i.${this.#id} join accounts a on a.email = i.email
      where a.id = ${accountId} and i.expires_at > app_now() and t.state not in ('deleted', 'gone')
        and (${id}::text is null or i.id = ${id}) and (${before}::text is null or i.id < ${before})
      order by i.id desc limit ${max}`.execute(db)
    return rows
  }

  /** False: it no longer existed. */
  async takeInvitation(tx: Tx, id: string): Promise<boolean> {
    const { rows } = await sql`delete from ${this.#invitations} where id = ${id} returning 1`.execute(tx)
    return rows.length > 0
  }

  async withdrawInvitation(tx: Tx, thing: Id, email: string): Promise<boolean> {
    const { rows } = await sql`
      delete from ${this.#invitations} where ${this.#id} = ${thing} and email = ${email} returning 1`.execute(tx)
    return rows.length > 0
  }

  async add(tx: Tx, thing: Id, accountId: string): Promise<void> {
    await sql`
      insert into ${this.#managers} (${this.#id}, account_id) values (${thing}, ${accountId}) on conflict do nothing`.execute(
      tx,
    )
  }

  /** Removes a manager, and the object from the scopes of that account's keys and endpoints. Returns false if the account was not a manager. */
  async remove(tx: Tx, thing: Id, accountId: string): Promise<boolean> {
    const { rows } = await sql`
      delete from ${this.#managers} where ${this.#id} = ${thing} and account_id = ${accountId} returning 1`.execute(tx)
    if (rows.length === 0) return false
    await sql`
      delete from ${this.#scopes} where ${this.#id} = ${thing}
        and key_id in (select id from api_keys where account_id = ${accountId})`.execute(tx)
    if (typeof thing === 'string') await leaveEndpoints(tx, accountId, [thing])
    return true
  }

  /** Removes all managers and invitations of an object. */
  async removeAll(tx: Tx, thing: Id): Promise<void> {
    await sql`delete from ${this.#managers} where ${this.#id} = ${thing}`.execute(tx)
    await sql`delete from ${this.#invitations} where ${this.#id} = ${thing}`.execute(tx)
  }
}

/** Ends an account's access to all zones of others. */
export async function leaveEveryZone(tx: Tx, accountId: string): Promise<void> {
  await sql`
    with gone as (delete from zone_managers where account_id = ${accountId} returning zone_id)
    delete from api_key_zones where zone_id in (select zone_id from gone)
      and key_id in (select id from api_keys where account_id = ${accountId})`.execute(tx)
}

/** Removes zones from the webhook endpoints that an account has limited to them. A new invitation does not bring them back. */
async function leaveEndpoints(tx: Tx, accountId: string, zoneIds: readonly string[]): Promise<void> {
  await sql`
    delete from webhook_endpoint_zones where zone_id = any(${[...zoneIds]}::uuid[])
      and endpoint_id in (select id from webhook_endpoints where account_id = ${accountId})`.execute(tx)
}

/** Deletes all invitations to this address. */
export async function forgetInvited(tx: Tx, email: string): Promise<void> {
  for (const table of invitationTables) await sql`delete from ${sql.table(table)} where email = ${email}`.execute(tx)
}

/** Cleanup: expired invitations have no effect, and name people who may never have answered. */
export async function dropOldInvitations(db: Db): Promise<void> {
  for (const table of invitationTables)
    await sql`delete from ${sql.table(table)} where expires_at < app_now()`.execute(db)
}

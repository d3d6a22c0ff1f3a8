import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** Stores the address of a sign-up and the hash of its link's token. Earlier links keep working. */
export async function addSignUp(tx: Tx, email: string, token: Buffer, validForS: number): Promise<void> {
  await sql`
    insert into account_sign_ups (token_sha256, email, expires_at)
    values (${token}, ${email}, app_now() + make_interval(secs => ${validForS}))`.execute(tx)
}

/** The address of a link; undefined: the link was used, has expired or never existed. */
export async function signUpEmail(db: Db, token: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from account_sign_ups where token_sha256 = ${token} and expires_at > app_now()`.execute(db)
  return rows[0]?.email
}

/** Ends all links of an address. */
export async function dropSignUps(tx: Tx, email: string): Promise<void> {
  await sql`delete from account_sign_ups where email = ${email}`.execute(tx)
}

/**
 * Creates the account of an address whose owner has used the link. An older account of the address that was never confirmed becomes this one.
 *
 * Returns its id, or undefined if the address has an account. If two links are used at once, the unique index admits one of them.
 */
export async function insertConfirmed(tx: Tx, email: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts as a (email, name, email_confirmed) values (${email}, ${name}, true)
    on conflict (email) do update set name = excluded.name, email_confirmed = true, created_at = app_now(), updated_at = app_now()
      where not a.email_confirmed
    returning id`.execute(tx)
  return rows[0]?.id
}

export async function insertSession(
  tx: Tx,
  session: {
    readonly accountId: string
    readonly token: string
    readonly days: number
    readonly address: string
    readonly userAgent: string
  },
): Promise<{ id: string; expiresAt: Date; createdAt: Date }> {
  const { rows } = await sql<{ id: string; expiresAt: Date; createdAt: Date }>`
    insert into account_sessions (id, account_id, token, expires_at, ip_address, user_agent, created_at, updated_at)
    values (gen_random_uuid(), ${session.accountId}, ${session.token}, app_now() + make_interval(days => ${session.days}),
      ${session.address}, ${session.userAgent}, app_now(), app_now())
    returning id, expires_at as "expiresAt", created_at as "createdAt"`.execute(tx)
  return rows[0] as { id: string; expiresAt: Date; createdAt: Date }
}

/** Cleanup. */
export async function dropOldSignUps(db: Db): Promise<void> {
  await sql`delete from account_sign_ups where expires_at < app_now()`.execute(db)
}

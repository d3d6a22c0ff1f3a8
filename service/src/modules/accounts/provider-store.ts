import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** A person at a provider who can sign in to an account. */
export interface LinkedProvider {
  readonly id: string
  readonly issuer: string
  /** The address at the provider when it was linked. */
  readonly name: string
  readonly email: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** The identity of a person at a provider. */
interface ProviderSubject {
  readonly issuer: string
  readonly subject: string
}

const columns = sql`id, issuer, name, email, created_at as "createdAt", last_used_at as "lastUsedAt"`

/** Oldest first. */
export async function linkedProvidersOf(db: Db, accountId: string): Promise<LinkedProvider[]> {
  const { rows } = await sql<LinkedProvider>`
    select ${columns} from account_providers where account_id = ${accountId} order by created_at, id`.execute(db)
  return rows
}

/** The account that is linked to a person at a provider. */
export async function accountOfSubject(db: Db, { issuer, subject }: ProviderSubject): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from account_providers where issuer = ${issuer} and subject = ${subject}`.execute(
    db,
  )
  return rows[0]?.accountId
}

/** What linking by address needs to know about an account. */
export async function accountToLink(
  db: Db,
  email: string,
): Promise<{ id: string; emailConfirmed: boolean; twoFactorEnabled: boolean; linked: number } | undefined> {
  const { rows } = await sql<{ id: string; emailConfirmed: boolean; twoFactorEnabled: boolean; linked: number }>`
    select a.id, a.email_confirmed as "emailConfirmed", a.two_factor_enabled as "twoFactorEnabled",
      (select count(*)::int from account_providers p where p.account_id = a.id) as linked
    from accounts a where a.email = ${email}`.execute(db)
  return rows[0]
}

/** False: the person at the provider is already linked to an account. */
export async function insertLinkedProvider(
  tx: Tx,
  accountId: string,
  { issuer, subject, name, email }: ProviderSubject & { readonly name: string; readonly email: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    insert into account_providers (account_id, issuer, subject, name, email)
    values (${accountId}, ${issuer}, ${subject}, ${name}, ${email ?? null})
    on conflict (issuer, subject) do nothing returning 1`.execute(tx)
  return rows.length > 0
}

/** Records a use. */
export async function noteProviderUse(tx: Tx, accountId: string, { issuer, subject }: ProviderSubject): Promise<void> {
  await sql`
    update account_providers set last_used_at = app_now()
    where issuer = ${issuer} and subject = ${subject} and account_id = ${accountId}`.execute(tx)
}

/** Its name; undefined: the account has no such provider. */
export async function dropLinkedProvider(tx: Tx, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from account_providers where id = ${id} and account_id = ${accountId} returning name`.execute(tx)
  return rows[0]?.name
}

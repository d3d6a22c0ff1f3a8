import { createHash } from 'node:crypto'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { NewPasskey } from './webauthn.ts'

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: string
  readonly credentialId: Buffer
  readonly name: string
  readonly isSynced: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const columns = sql`id, credential_id as "credentialId", name, is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"`

/** Oldest first. */
export async function passkeysOf(db: Db, accountId: string): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`
    select ${columns} from account_passkeys where account_id = ${accountId} order by created_at, id`.execute(db)
  return rows
}

/** Undefined: this credential is already a passkey, of this or another account. */
export async function insertPasskey(
  tx: Tx,
  accountId: string,
  passkey: NewPasskey & { readonly name: string; readonly transports: readonly string[] },
): Promise<Passkey | undefined> {
  const { credentialId, publicKey, algorithm, signCount, isSynced, transports, name } = passkey
  const { rows } = await sql<Passkey>`
    insert into account_passkeys (account_id, credential_id, public_key, algorithm, sign_count, transports, is_synced, name)
    values (${accountId}, ${credentialId}, ${publicKey}, ${algorithm}, ${signCount}, ${transports}::text[], ${isSynced}, ${name})
    on conflict (credential_id) do nothing returning ${columns}`.execute(tx)
  return rows[0]
}

/** Undefined: the account has no such passkey. */
export async function setPasskeyName(
  tx: Tx,
  accountId: string,
  id: string,
  name: string,
): Promise<Passkey | undefined> {
  const { rows } = await sql<Passkey>`
    update account_passkeys set name = ${name} where id = ${id} and account_id = ${accountId} returning ${columns}`.execute(
    tx,
  )
  return rows[0]
}

/** Its name; undefined: the account has no such passkey. */
export async function dropPasskey(tx: Tx, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from account_passkeys where id = ${id} and account_id = ${accountId} returning name`.execute(tx)
  return rows[0]?.name
}

/** The data of a passkey that a sign-in needs. */
export interface SignInPasskey {
  readonly id: string
  readonly accountId: string
  readonly publicKey: Buffer
  readonly algorithm: number
}

export async function passkeyToSignIn(db: Db, credentialId: Buffer): Promise<SignInPasskey | undefined> {
  const { rows } = await sql<SignInPasskey>`
    select id, account_id as "accountId", public_key as "publicKey", algorithm
    from account_passkeys where credential_id = ${credentialId}`.execute(db)
  return rows[0]
}

/**
 * Records a use. False: the passkey was removed, or its counter has not grown, so that it may have been copied. A counter that is always zero is
 * ignored.
 */
export async function notePasskeyUse(
  tx: Tx,
  id: string,
  { signCount, isSynced }: { signCount: number; isSynced: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update account_passkeys set sign_count = ${signCount}, is_synced = ${isSynced}, last_used_at = app_now()
    where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0)) returning 1`.execute(tx)
  return rows.length > 0
}

/** Records that a challenge was answered. False: it was already answered. */
export async function useChallenge(tx: Tx, challenge: string): Promise<boolean> {
  const hash = createHash('sha256').update(challenge).digest()
  const { rows } = await sql`
    insert into account_used_challenges (challenge) values (${hash}) on conflict do nothing returning 1`.execute(tx)
  return rows.length > 0
}

/** Cleanup: expired challenges are refused anyway. */
export async function dropOldChallenges(db: Db): Promise<void> {
  await sql`delete from account_used_challenges where used_at < app_now() - interval '1 hour'`.execute(db)
}

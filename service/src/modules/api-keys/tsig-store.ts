import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'

/** Stores the TSIG secret of a key. It replaces an earlier one. */
export async function putTsig(tx: Tx, secrets: SecretBox, keyId: string, secret: string): Promise<void> {
  const sealed = secrets.seal('api_key_tsig.secret', keyId, secret)
  await sql`
    insert into api_key_tsig (key_id, secret) values (${keyId}, ${sealed})
    on conflict (key_id) do update set secret = excluded.secret, created_at = excluded.created_at`.execute(tx)
}

/** False: the key has none. */
export async function removeTsig(tx: Tx, keyId: string): Promise<boolean> {
  const { rows } = await sql`delete from api_key_tsig where key_id = ${keyId} returning 1`.execute(tx)
  return rows.length > 0
}

/** The parts of a signed message that identify its signer. */
export interface SignedBy {
  readonly keyId: string
  /** Of the message. */
  readonly mac: Uint8Array
}

/** The data that verifies signatures of a key. */
export interface Signer {
  readonly secretSha256: Buffer
  /** Sealed, for the id of the key. */
  readonly sealed: Buffer
  /** The response to an earlier message with this signature; null: there was none. */
  readonly answered: { readonly rcode: number; readonly message: string | null } | null
}

/** The active keys with these ids that have a TSIG secret, in order. Undefined: there is no such key, or it is no longer active. */
export async function findSigners(db: Db, asked: readonly SignedBy[]): Promise<(Signer | undefined)[]> {
  const { rows } = await sql<{ n: number } & Signer>`
    select asked.n, k.secret_sha256 as "secretSha256", t.secret as sealed,
      (select json_build_object('rcode', u.rcode, 'message', u.message) from update_answers u
        where u.key_id = t.key_id and u.mac = decode(asked.mac, 'hex')) as answered
    from ${askedSigners(asked.map(({ keyId, mac }, n) => ({ n, key_id: keyId, mac: Buffer.from(mac).toString('hex') })))}
    cross join lateral (select * from api_key_tsig where key_id = asked.key_id offset 0) t
    cross join lateral (select * from api_keys where id = t.key_id offset 0) k
    cross join lateral (select deleted_at from accounts where id = k.account_id offset 0) a
    where k.revoked_at is null and a.deleted_at is null and coalesce(k.expires_at > app_now(), true)`.execute(db)
  const signers: (Signer | undefined)[] = asked.map(() => undefined)
  for (const { n, ...signer } of rows) signers[n] = signer
  return signers
}

/** The number of active keys with a TSIG secret, and the creation time of the newest one. */
export async function readSigners(
  db: Db,
): Promise<{ readonly count: number; readonly newest: { keyId: string; sealed: Buffer } | undefined }> {
  const { rows } = await sql<{ keyId: string; sealed: Buffer; count: number }>`
    select t.key_id as "keyId", t.secret as sealed, count(*) over ()::int as count
    from api_key_tsig t join api_keys k on k.id = t.key_id join accounts a on a.id = k.account_id
    where k.revoked_at is null and a.deleted_at is null and coalesce(k.expires_at > app_now(), true)
    order by t.created_at desc, t.key_id limit 1`.execute(db)
  const [newest] = rows
  return { count: newest?.count ?? 0, newest }
}

const askedSigners = sql.recordset('asked', 'n int, key_id text, mac text')

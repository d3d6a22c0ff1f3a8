import { randomBytes } from 'node:crypto'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { type KeyDetails, lockLiveKey, readKey } from './store.ts'
import { putTsig, removeTsig } from './tsig-store.ts'

/** As long as the output of hmac-sha256 (RFC 2104 §3). */
const secretBytes = 32

/** The name of the TSIG key of an API key: host names have no `_`. */
export function tsigNameOf(keyId: string): string {
  return keyId.replace('_', '-')
}

/** The id of the API key whose TSIG key has this name, without its final dot. */
export function keyIdOfTsig(name: string): string {
  return name.replace('-', '_')
}

/** A key of an account. */
interface KeyOf {
  readonly accountId: string
  readonly keyId: string
}

/**
 * Creates the TSIG secret of an active key. An earlier one stops working with the commit. Only this result contains the secret.
 *
 * @throws Refusal `not_found`
 */
export async function createTsig(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  { accountId, keyId }: KeyOf,
): Promise<{ key: KeyDetails; secret: string }> {
  await lockLiveKey(tx, accountId, keyId)
  const key = await readKey(tx, keyId)
  if (key?.state !== 'live' || key.accountId !== accountId) throw noSuchKey()
  const secret = randomBytes(secretBytes).toString('base64')
  await putTsig(tx, secrets, keyId, secret)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'key.tsig_created',
    summary: `A TSIG secret of the API key ${JSON.stringify(key.name)} was created`,
    reference: { key: keyId },
  })
  return { key, secret }
}

/** Deletes the TSIG secret of a key, which then signs nothing. @throws Refusal `not_found` */
export async function deleteTsig(tx: Tx, actor: Actor, { accountId, keyId }: KeyOf): Promise<void> {
  const key = await lockLiveKey(tx, accountId, keyId)
  if (key === undefined) throw noSuchKey()
  if (!(await removeTsig(tx, keyId))) throw new Refusal('not_found', 'This key has no TSIG secret.')
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'key.tsig_deleted',
    summary: `The TSIG secret of the API key ${JSON.stringify(key.name)} was deleted`,
    reference: { key: keyId },
  })
}

export function noSuchKey(): Refusal {
  return new Refusal('not_found', 'No live key has this id.')
}

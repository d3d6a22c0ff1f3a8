import type { Permission, RecordLimit } from '@zonewright/contract'
import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { holdDomains } from '#modules/domains/index.ts'
import { lockZones } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { hintOf, newSecret, secretSha256 } from './key-secret.ts'
import { faultsOfNewKey, type KeyExpiry, keyExpiries, maxLiveKeys } from './rules.ts'
import { insertScope, type PickedScope } from './scope-store.ts'
import { countLiveKeys, insertKey, liveKeyNamed, lockLiveKey, revoke, revokeAll } from './store.ts'

/** The permissions and the scope of a new key. */
export interface NewKey {
  readonly name: string
  /** All zones and domains that the account owns, including later ones; or the ids of selected zones. */
  readonly zones: 'all' | readonly string[]
  /** The ids of selected domains; with `all`, none. */
  readonly domains?: readonly number[]
  /** For each selected zone, by its id, the record sets to which the key is limited. */
  readonly limits?: ReadonlyMap<string, readonly RecordLimit[]> | undefined
  readonly permissions: readonly Permission[]
  /** The networks from which it can be used (`readNetworks`). Default: any. */
  readonly addresses?: readonly string[] | undefined
  readonly expiresIn: KeyExpiry
}

/** Creates a key. Only this result contains the secret. */
export async function createKey(
  tx: Tx,
  actor: Actor,
  accountId: string,
  key: NewKey,
): Promise<{ id: string; secret: string }> {
  const isLimited = key.limits !== undefined
  refuseFaults(faultsOfNewKey({ ...key, allZones: key.zones === 'all', isLimited }))
  await lockAccount(tx, accountId) // so that the name can be counted
  if (await liveKeyNamed(tx, accountId, key.name))
    throw new Refusal('conflict', `A key named ${JSON.stringify(key.name)} already exists. Choose another name.`)
  // Operators can raise an account's limit.
  if (actor.kind === 'session' && (await countLiveKeys(tx, accountId)) >= maxLiveKeys)
    throw new Refusal('conflict', `This account has ${maxLiveKeys} live keys, the maximum. Revoke one first.`)
  const scope = key.zones === 'all' ? undefined : { zones: key.zones, domains: key.domains ?? [], limits: key.limits }
  if (scope) await holdScope(tx, accountId, scope)
  const secret = newSecret()
  const id = newId('key')
  await insertKey(tx, {
    id,
    accountId,
    name: key.name,
    hint: hintOf(secret),
    secretSha256: secretSha256(secret),
    coversAll: scope === undefined,
    isLimited,
    addresses: key.addresses ?? null,
    permissions: key.permissions,
    lifetime: keyExpiries[key.expiresIn],
  })
  if (scope) await insertScope(tx, id, scope)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'key.created',
    summary: `API key ${JSON.stringify(key.name)} was created`,
    reference: { key: id },
  })
  return { id, secret }
}

/**
 * Locks what a key will cover. If the account loses any of it later, that transaction finds the key. If the account has already lost it, the key is
 * refused.
 */
export async function holdScope(tx: Tx, accountId: string, scope: PickedScope): Promise<void> {
  const domains = await holdDomains(tx, accountId, scope.domains)
  const zones = await lockZones(tx, scope.zones)
  const lost = (kind: string): FaultDetail => {
    const message = `A selected ${kind} does not exist, or this account no longer has access to it.`
    return { path: '/zones', code: 'not_found', message }
  }
  refuseFaults([
    ...scope.zones.filter((id) => !zones.get(id)?.recipients.includes(accountId)).map(() => lost('zone')),
    ...scope.domains.filter((id) => !domains.has(id)).map(() => lost('domain')),
  ])
}

/** Throws `validation_failed` with all errors, if there are any. */
export function refuseFaults(details: readonly FaultDetail[]): void {
  if (details.length > 0) throw new Refusal('validation_failed', details[0]?.message ?? '', { details })
}

/** Revokes the account's active key with this name, if there is one. */
export async function revokeKeyNamed(tx: Tx, actor: Actor, accountId: string, name: string): Promise<boolean> {
  const id = await liveKeyNamed(tx, accountId, name)
  return id !== undefined && (await revokeKey(tx, actor, accountId, id))
}

/** Revokes an active key of the account, if there is one with this id. With the commit, it stops working in every process. */
export async function revokeKey(tx: Tx, actor: Actor, accountId: string, keyId: string): Promise<boolean> {
  const key = await lockLiveKey(tx, accountId, keyId)
  if (key === undefined) return false
  await revoke(tx, keyId)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'key.revoked',
    summary: `API key ${JSON.stringify(key.name)} was revoked`,
    reference: { key: keyId },
  })
  return true
}

/** Revokes all keys of an account that is being deleted. They stay revoked if the account is restored. */
export async function revokeAllKeys(tx: Tx, actor: Actor, accountId: string): Promise<void> {
  const revoked = await revokeAll(tx, accountId)
  if (revoked === 0) return
  await recordAudit(tx, { accountId, actor, action: 'key.revoked', summary: `All ${revoked} API keys were revoked` })
}

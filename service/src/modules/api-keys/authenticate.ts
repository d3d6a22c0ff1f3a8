import { isPermission } from '@zonewright/contract'
import { parseZoneRef } from '#modules/zones/index.ts'
import type { KeyCaller } from '#platform/caller.ts'
import type { Database } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import type { Authenticate } from '#platform/http/server.ts'
import { isWellFormed, secretSha256 } from './key-secret.ts'
import { refuseKey, secretFromHeader } from './rules.ts'
import { findKey, type KeyRow, noteUse } from './store.ts'

/**
 * Who makes a request, by the key in its Authorization header, and what that key may know of the zone in the path.
 *
 * One indexed read a request and no cache: a revocation counts from the next request on, in every process.
 */
export function keyAuthentication(database: Database): Authenticate {
  return async ({ authorization, zoneRef, address }) => {
    const secret = secretFromHeader(authorization)
    if (secret === undefined)
      throw new Refusal('signed_out', 'Nobody is signed in. Send an API key as "Authorization: Bearer svc_live_…".')
    if (!isWellFormed(secret)) throw refuseKey('is mistyped')
    const ref = zoneRef === undefined ? undefined : parseZoneRef(zoneRef)
    const key = await findKey(database.db, secretSha256(secret), ref)
    const caller = callerOf(key)
    if (key?.useIsDue) noteUse(database.db, key.id, address)
    return { caller, zone: key?.zone ?? undefined }
  }
}

function callerOf(key: KeyRow | undefined): KeyCaller {
  // Well-formed but unknown: the check digits cannot tell every slip.
  if (key === undefined || key.accountDeleted) throw refuseKey('is mistyped or does not exist')
  if (key.revokedAt) throw refuseKey(`was revoked at ${key.revokedAt.toISOString()}`)
  if (key.expired && key.expiresAt) throw refuseKey(`expired at ${key.expiresAt.toISOString()}`)
  return {
    kind: 'key',
    accountId: key.accountId,
    keyId: key.id,
    keyName: key.name,
    permissions: new Set(key.permissions.filter(isPermission)),
    allZones: key.allZones,
  }
}

import { isPermission, requestsPerMinute } from '@zonewright/contract'
import type { Credentials } from '#http/call.ts'
import { parseZoneRef, type ZoneRef, zoneRefAbove } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { isWellFormed, secretSha256 } from './key-secret.ts'
import { findKeys, findZone, type KeyLookup, type KeyRow } from './lookup-store.ts'
import { type CountedKey, Minute } from './minute.ts'
import { isInNetworks, plainAddress } from './networks.ts'
import { refuseKey, secretFromHeader } from './rules.ts'
import { type KeyUse, noteUses } from './store.ts'
import { requestLimit, updateLimit } from './window-store.ts'

/** Batching of lookups: the most lookups in a batch, and the most concurrent batches. A second batch starts only with this many lookups. */
const gathering = { maxItems: 100, slots: 2, besides: 16 }

/** The most uses of keys that one statement records, and the shortest time between two statements. */
const noting = { maxItems: 500, gapMs: 100 }

/** The signed-in person according to the cookies of the request; undefined: no one. */
export type Sessions = (credentials: Credentials) => Promise<Caller<'session'> | undefined>

/**
 * The caller of a request, and what the caller can know about the zone in its path: by the key in the Authorization header, or else by cookies. A
 * header always wins. If it is invalid, the cookies are ignored.
 */
export function authentication(database: Database, sessions: Sessions, options: { requestsPerMinute?: number } = {}) {
  const byKey = keyAuthentication(database, options.requestsPerMinute ?? requestsPerMinute.key, requestLimit)
  return async (credentials: Credentials) => {
    const secret = secretFromHeader(credentials.authorization)
    if (secret !== undefined) {
      if (!isWellFormed(secret)) throw refuseKey('is mistyped')
      return byKey(secretSha256(secret), credentials)
    }
    const caller = await sessions(credentials)
    if (caller === undefined)
      throw new Refusal(
        'signed_out',
        'This request has no API key and no valid session. Send a key as "Authorization: Bearer svc_live_…", or sign in.',
      )
    const zone = zoneAsked(credentials)
    return { caller, zone: zone && (await findZone(database.db, caller.accountId, zone)) }
  }
}

/**
 * The same by the SHA-256 of a key's secret, for messages that the key has signed. With `wasAdmitted`, they are not counted. Updates count like
 * requests, but an operator can raise the limit for the keys of an account (`updates_per_minute`).
 */
export function signedAuthentication(database: Database, options: { requestsPerMinute?: number } = {}) {
  return keyAuthentication(database, options.requestsPerMinute ?? requestsPerMinute.key, updateLimit)
}

/** The data of a request, without its caller. */
type KeyUseIn = Pick<Credentials, 'zoneRef' | 'nameInZone' | 'preload' | 'address' | 'wasAdmitted'>

/**
 * Authenticates by key: one indexed read per request without a cache, so that a revocation counts from the next request on, in every process.
 * Concurrent reads are batched, together with the count of each key's requests.
 */
function keyAuthentication(database: Database, perMinute: number, limitOf: typeof requestLimit) {
  const limit = limitOf(perMinute)
  const lookups = new Gather<KeyLookup, CountedKey | undefined>(gathering, async (asked) =>
    Minute.ofBatch(await findKeys(database.db, asked, limit), perMinute),
  )
  const notes = new Gather<KeyUse, undefined>(noting, async (uses) => {
    await noteUses(database.db, uses)
    return uses.map(() => undefined)
  })
  return async (hash: Buffer, use: KeyUseIn) => {
    const { preload, address, wasAdmitted } = use
    const zone = zoneAsked(use)
    if (wasAdmitted) {
      const [found] = await findKeys(database.db, [{ hash, zone }], undefined)
      const caller = callerOf(found?.key)
      const elsewhere = found && usedElsewhere(found.key, address)
      if (elsewhere) throw elsewhere
      if (found?.key.useIsDue) notes.ask({ keyId: found.key.id, address }).catch(() => undefined)
      return { caller, zone: found?.zone }
    }
    const found = await lookups.ask({ hash, zone, preload })
    const caller = callerOf(found?.key)
    const elsewhere = found && usedElsewhere(found.key, address, found.minute.headers)
    // Not awaited, so that no request fails or slows down because of it. A use that could not be recorded is recorded with the key's next
    // request.
    if (found?.key.useIsDue && !elsewhere) notes.ask({ keyId: found.key.id, address }).catch(() => undefined)
    found?.minute.refuseExcess()
    if (elsewhere) throw elsewhere
    return { caller, zone: found?.zone, headers: found?.minute.headers ?? {} }
  }
}

function zoneAsked({ zoneRef, nameInZone }: Pick<Credentials, 'zoneRef' | 'nameInZone'>): ZoneRef | undefined {
  if (nameInZone !== undefined) return zoneRefAbove(nameInZone)
  return zoneRef === undefined ? undefined : parseZoneRef(zoneRef)
}

function callerOf(key: KeyRow | undefined): Caller<'key'> {
  // Well-formed but unknown: the checksum does not detect every mistake.
  if (key === undefined) throw refuseKey('is mistyped or does not exist')
  if (key.revokedAt) throw refuseKey(`was revoked at ${new Date(key.revokedAt).toISOString()}`)
  if (key.expired && key.expiresAt) throw refuseKey(`expired at ${new Date(key.expiresAt).toISOString()}`)
  return {
    kind: 'key',
    accountId: key.accountId,
    keyId: key.id,
    keyName: key.name,
    permissions: new Set(key.permissions.filter(isPermission)),
    allZones: key.allZones,
    isLimited: key.isLimited,
  }
}

/** The refusal of a key that is used from an address that it does not allow. `headers` go with it. */
function usedElsewhere({ addresses }: KeyRow, address: string, headers: Record<string, string> = {}) {
  if (addresses === null || isInNetworks(addresses, address)) return undefined
  return new Refusal('forbidden', `This key may not be used from ${plainAddress(address)}.`, { headers })
}

import { isInvalidStored, parseType, signingReason } from '@zonewright/dns'
import { noSuchZone } from '#http/authorise.ts'
import { absolute } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { changeRecords } from './change-records.ts'
import { rrsetsAt } from './history-store.ts'
import type { RrsetChange } from './rrset-change.ts'
import { lockZonesAndRead, managedNames } from './store.ts'
import type { ChangeRequest, ChangeResult } from './zone-draft.ts'

/**
 * The changes that restore a zone's records to their state at a version; throws as `restoreVersion` does. Delegations to zones
 * hosted here are managed by the service: the current ones stay, and earlier ones are not restored. Neither are the records of a signed zone,
 * which customers may not write, nor values that are not valid for their type.
 */
export async function changesBackTo(
  db: Db,
  { id: zoneId, name: zoneName }: { readonly id: string; readonly name: string },
  version: number,
): Promise<RrsetChange[]> {
  const past = await rrsetsAt(db, zoneId, version)
  if (past === undefined)
    throw new Refusal('not_found', `Version ${version} of the zone does not exist or is no longer kept.`)
  const managed = await managedNames(db, zoneId)
  const own = past.filter(
    ({ name, type, then }) =>
      (type !== 'NS' || !managed.has(name)) &&
      (then === null || signingReason(absolute(name), parseType(type), absolute(zoneName)) === undefined),
  )
  return own.map(({ name, type, then }): RrsetChange => {
    const customers = then?.managed ? null : then
    const records = customers?.records.filter((record) => !isInvalidStored(parseType(type), record)) ?? []
    return { name, type, ttl: customers?.ttl, ask: { kind: 'replace', records } }
  })
}

/**
 * Restores a zone's records to their state at a version, as a new change. The history stays complete.
 *
 * Throws `not_found` for a version that never existed, or that the history no longer contains.
 */
export async function restoreVersion(
  tx: Tx,
  wish: Omit<ChangeRequest, 'changes'>,
  version: number,
): Promise<ChangeResult> {
  // Locked before the history is read, because the change below must start from the end of the history.
  const [zone] = await lockZonesAndRead(tx, [{ id: wish.zoneId, names: [] }], 'wait')
  if (zone === undefined) throw noSuchZone()
  const changes = await changesBackTo(tx, zone, version)
  return changeRecords(tx, { ...wish, changes })
}

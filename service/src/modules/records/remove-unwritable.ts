import { isInvalidStored, parseType, rootName, signingReason } from '@zonewright/dns'
import { type MailContext, tellAccount } from '#modules/accounts/index.ts'
import { recordsRemoved } from '#modules/mail/index.ts'
import { absolute, nilId } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Logger } from '#platform/log.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { changeRecords } from './change-records.ts'
import { keyOf, type StoredRrset } from './rrset.ts'
import type { RrsetChange } from './rrset-change.ts'
import { lockZonesAndRead } from './store.ts'
import {
  isAnyUnwritable,
  noteRemoved,
  pageOfUnreported,
  pageOfUnwritable,
  readUnwritable,
  takeRemoved,
} from './unwritable-store.ts'

const actor = actorNamed('system', 'record cleanup')
const pageSize = 100
/** Rrsets of a zone that the email names. */
const mostNamed = 5

/** What the removal needs. */
export interface RemovalParts extends MailContext {
  readonly database: Database
  readonly log: Pick<Logger, 'error'>
}

/**
 * Removes stored records that customers may no longer write, then notifies the owners: one version per zone, one email per account.
 *
 * The migration that created `unwritable_rrsets` listed them; nothing is ever added. Each zone's change and each account's email commit together
 * with removing them from the list, so the job can be killed at any time and continues where it was. A deleted zone waits until it is
 * restored. A zone that cannot be changed is logged, and does not delay the others.
 */
export async function removeUnwritable(parts: RemovalParts): Promise<void> {
  const { database, log } = parts
  if (!(await isAnyUnwritable(database.db))) return
  let failures = 0
  await eachOf(
    (after) => pageOfUnwritable(database.db, after, pageSize),
    async (zoneId) => {
      try {
        await database.transactInTurn(zoneId, (tx) => cleanZone(tx, zoneId))
      } catch (error) {
        failures++
        log.error({ err: error, zone: zoneId }, 'records of a zone could not be removed')
      }
    },
  )
  await eachOf(
    (after) => pageOfUnreported(database.db, after, pageSize),
    (accountId) => database.transact((tx) => report(tx, parts, accountId)),
  )
  if (failures > 0) throw new Error(`The records of ${failures} zones could not be removed; the next run retries them.`)
}

async function eachOf(
  page: (after: string) => Promise<readonly string[]>,
  work: (id: string) => Promise<void>,
): Promise<void> {
  for (let after = nilId; ; ) {
    const ids = await page(after)
    for (const id of ids) await work(id)
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) return
    after = last
  }
}

async function cleanZone(tx: Tx, zoneId: string): Promise<void> {
  // Locked before the list is read: two workers never remove the same records twice.
  const [locked] = await lockZonesAndRead(tx, [{ id: zoneId, names: [] }], 'wait')
  if (locked === undefined) return
  const listed = await readUnwritable(tx, zoneId)
  if (listed.length === 0) return
  const names = [...new Set(listed.map(({ name }) => name))]
  const [zone] = await lockZonesAndRead(tx, [{ id: zoneId, names }], 'wait')
  if (zone === undefined) return
  const keys = new Set(listed.map(keyOf))
  const changes = zone.rrsets.filter((rrset) => keys.has(keyOf(rrset))).flatMap((rrset) => removalOf(zone.name, rrset))
  const { version } =
    changes.length === 0
      ? zone
      : await changeRecords(tx, { zoneId, actor, changes, ifMatch: undefined, pathOf: () => '/name' })
  await noteRemoved(tx, zoneId, version, changes)
}

/** The change that removes the records of an rrset that are not allowed; undefined: all of them are allowed. */
export function removalOf(zone: string, { name, type, ttl, records, managed }: StoredRrset): RrsetChange[] {
  const known = parseType(type)
  const kept =
    signingReason(absolute(name), known, absolute(zone)) === undefined
      ? records.filter((record) => !isInvalidStored(known, record))
      : []
  return managed || kept.length === records.length ? [] : [{ name, type, ttl, ask: { kind: 'replace', records: kept } }]
}

async function report(tx: Tx, parts: RemovalParts, accountId: string): Promise<void> {
  const zones = await takeRemoved(tx, accountId, mostNamed)
  if (zones.length === 0) return
  const types = [...new Set(zones.flatMap((zone) => zone.types))].sort()
  const [signing = [], invalid = []] = [true, false].map((is) => types.filter((type) => isOfSigner(type) === is))
  await tellAccount(tx, parts, accountId, recordsRemoved({ site: parts.site, zones, signing, invalid }))
}

/** Whether records of a type are removed because they belong to a signer: only at the apex, if at all. */
function isOfSigner(type: string): boolean {
  return signingReason(rootName, parseType(type), rootName) !== undefined
}

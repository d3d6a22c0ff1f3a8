import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { publish } from '#modules/events/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Tx, wakeAfterCommit } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { firstSerial, mayAdd } from './rules.ts'
import { insertMove, insertZone, markLive, type NewZone, surroundingsOf, type ZoneRow } from './store.ts'
import { parseZoneName } from './zone-name.ts'

/** What a zone is added with, besides its name. */
export interface ZoneOwner {
  readonly actor: Actor
  readonly accountId: string
  /** Names that are never anybody's: those of the nameservers. */
  readonly serviceDomains: readonly string[]
}

/** Adds a pending zone: its records can be edited, but nothing is published before control of the name is proved. */
export async function createZone(tx: Tx, owner: ZoneOwner, name: string): Promise<ZoneRow> {
  return insert(tx, owner, name, 'pending')
}

/** Adds a zone that is live at once: the operator vouches for it. */
export async function addLiveZone(tx: Tx, owner: ZoneOwner, name: string): Promise<ZoneRow> {
  return goLive(tx, await insert(tx, owner, name, 'live'))
}

async function insert(tx: Tx, owner: ZoneOwner, text: string, state: 'pending' | 'live'): Promise<ZoneRow> {
  const name = parseZoneName(text)
  await lockAccount(tx, owner.accountId) // so that its zones can be counted
  const around = await surroundingsOf(tx, name, owner.accountId)
  mayAdd(name, around, owner.serviceDomains)
  if (state === 'live' && around.taken) throw hostedElsewhere(name)
  const zone: NewZone = {
    name,
    accountId: owner.accountId,
    origin: 'added',
    state,
    serial: firstSerial(around.lastSerial, around.unixSeconds),
  }
  const row = await insertZone(tx, zone)
  await recordAudit(tx, {
    accountId: owner.accountId,
    actor: owner.actor,
    action: 'zone.added',
    zone: row,
    summary: `Zone ${row.name} was added (${state})`,
  })
  return row
}

/** Publishes the zone: a member of the catalog from now on, and `zone.created` once every nameserver answers it. */
async function goLive(tx: Tx, zone: ZoneRow): Promise<ZoneRow> {
  const live = await markLive(tx, zone.id).catch((error: unknown) => {
    // Another account's transaction made the name live since this one looked: the unique index decides.
    throw (error as { code?: string }).code === uniqueViolation ? hostedElsewhere(zone.name) : error
  })
  await insertMove(tx, live, true)
  await publish(tx, {
    type: 'zone.created',
    recipients: live.recipients,
    zoneId: live.id,
    zoneName: live.name,
    serial: live.serial,
    held: 'everywhere',
    data: { zone: { id: live.id, name: live.name } },
  })
  wakeAfterCommit(tx, 'catalog_changed')
  wakeAfterCommit(tx, 'zones_changed', live.id)
  return live
}

/** SQLSTATE of a row that a unique index refuses. */
const uniqueViolation = '23505'

function hostedElsewhere(name: string): Refusal {
  return new Refusal('zone_exists', `${name} is hosted here by another account.`)
}

import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import type { Delegate } from './delegate.ts'
import { hostedElsewhere, publishZone } from './publish-zone.ts'
import { firstSerial, mayAdd, mayHaveOneMore, type Surroundings } from './rules.ts'
import { insertZone, lockName, surroundingsOf, type ZoneRow } from './store.ts'
import { startVerification } from './verification-store.ts'
import { parseZoneName, type ZoneName } from './zone-name.ts'

/** What a zone is added with, besides its name. */
export interface ZoneOwner {
  readonly actor: Actor
  readonly accountId: string
  /** Names that are never anybody's: those of the nameservers. */
  readonly serviceDomains: readonly string[]
}

/**
 * Adds a zone. Below a live zone of the account it is live at once, and that zone delegates to it; else it is pending: its
 * records can be edited, but nothing is published before control of the name is proved.
 */
export async function createZone(tx: Tx, owner: ZoneOwner, name: string, delegate: Delegate): Promise<ZoneRow> {
  const { zone, parent } = await insert(tx, owner, name, 'pending')
  if (parent === undefined) {
    await startVerification(tx, zone.id)
    return zone
  }
  const live = await publishZone(tx, { id: zone.id, name: zone.name, origin: 'added', parentId: parent.id })
  await delegate(tx, owner.actor, parent.id, [{ name: live.name, present: true }])
  return live
}

/** Adds a zone that is live at once: the operator vouches for it. */
export async function addLiveZone(tx: Tx, owner: ZoneOwner, name: string): Promise<ZoneRow> {
  const { zone } = await insert(tx, owner, name, 'live')
  return publishZone(tx, { id: zone.id, name: zone.name, origin: 'added', parentId: null })
}

/**
 * Adds a zone under one of the service's own, live at once. The caller has made sure that the name is free, has locked the
 * account, and delegates to it.
 */
export async function addClaimedZone(
  tx: Tx,
  owner: Pick<ZoneOwner, 'actor' | 'accountId'>,
  name: ZoneName,
  parentId: string,
): Promise<ZoneRow> {
  const around = await surroundingsOf(tx, name, owner.accountId)
  mayHaveOneMore(around)
  const zone = await writeZone(tx, owner, name, 'live', around)
  return publishZone(tx, { id: zone.id, name, origin: 'claimed', parentId })
}

async function insert(
  tx: Tx,
  owner: ZoneOwner,
  text: string,
  state: 'pending' | 'live',
): Promise<{ zone: ZoneRow; parent: Surroundings['parent'] }> {
  const name = parseZoneName(text)
  await lockAccount(tx, owner.accountId) // so that its zones can be counted
  await lockName(tx, name) // so that no zone above it goes while it comes
  const around = await surroundingsOf(tx, name, owner.accountId)
  mayAdd(name, around, owner.serviceDomains)
  const isLive = state === 'live' || around.parent !== undefined
  if (isLive && around.taken) throw hostedElsewhere(name)
  return { zone: await writeZone(tx, owner, name, isLive ? 'live' : 'pending', around), parent: around.parent }
}

/** Writes a zone that is not live yet, with the next serial of its name. */
export async function writeZone(
  tx: Tx,
  { accountId, actor }: Pick<ZoneOwner, 'actor' | 'accountId'>,
  name: ZoneName,
  state: 'pending' | 'live',
  around: { lastSerial: number | undefined; unixSeconds: number },
): Promise<ZoneRow> {
  const serial = firstSerial(around.lastSerial, around.unixSeconds)
  const row = await insertZone(tx, { name, accountId, origin: 'added', serial })
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'zone.added',
    zone: row,
    summary: `Zone ${row.name} was added (${state})`,
  })
  return row
}

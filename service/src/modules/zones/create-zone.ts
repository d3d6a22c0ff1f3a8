import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import type { Delegate } from './delegate.ts'
import { hostedElsewhere, insertLiveZone } from './publish-zone.ts'
import { firstSerial, mayAdd, mayHaveOneMore } from './rules.ts'
import { countedSurroundingsOf, insertZone, lockName, type NewZone, type ZoneRow } from './store.ts'
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
  const around = await lookAround(tx, owner, name)
  const { parent } = around
  if (parent === undefined) {
    const zone = await writeZone(tx, owner, { ...around, state: 'pending', origin: 'added', parentId: null })
    await startVerification(tx, zone.id)
    return zone
  }
  if (around.taken) throw hostedElsewhere(around.name)
  const live = await writeZone(tx, owner, { ...around, state: 'live', origin: 'added', parentId: parent.id })
  await delegate(tx, owner.actor, parent.id, [{ name: live.name, present: true }])
  return live
}

/** Adds a zone that is live at once: the operator vouches for it. */
export async function addLiveZone(tx: Tx, owner: ZoneOwner, name: string): Promise<ZoneRow> {
  const around = await lookAround(tx, owner, name)
  if (around.taken) throw hostedElsewhere(around.name)
  return writeZone(tx, owner, { ...around, state: 'live', origin: 'added', parentId: null })
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
  const around = await countedSurroundingsOf(tx, name, owner.accountId)
  mayHaveOneMore(around)
  return writeZone(tx, owner, { ...around, name, state: 'live', origin: 'claimed', parentId })
}

/** What is known about a name that an account may add. */
async function lookAround(
  tx: Tx,
  owner: ZoneOwner,
  text: string,
): Promise<Awaited<ReturnType<typeof countedSurroundingsOf>> & { readonly name: ZoneName }> {
  const name = parseZoneName(text)
  await lockAccount(tx, owner.accountId) // so that its zones can be counted
  await lockName(tx, name) // so that no zone above it goes while it comes
  const around = await countedSurroundingsOf(tx, name, owner.accountId)
  mayAdd(name, around, owner.serviceDomains)
  return { ...around, name }
}

/** Writes a new zone with the next serial of its name. */
export async function writeZone(
  tx: Tx,
  { accountId, actor }: Pick<ZoneOwner, 'actor' | 'accountId'>,
  zone: Pick<NewZone, 'name' | 'state' | 'origin' | 'parentId'> & {
    readonly lastSerial: number | undefined
    readonly unixSeconds: number
  },
): Promise<ZoneRow> {
  const { name, state, origin, parentId } = zone
  const serial = firstSerial(zone.lastSerial, zone.unixSeconds)
  const row =
    state === 'live'
      ? await insertLiveZone(tx, { name, accountId, origin, serial, parentId })
      : await insertZone(tx, { name, accountId, state, origin, serial, parentId })
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'zone.added',
    zone: row,
    summary: `Zone ${row.name} was added (${state})`,
  })
  return row
}

import { lockAccount, type MailContext } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { delegateAll, type ParentCut } from './delegate.ts'
import { loseZones, type TakingParts, takeover } from './lose-zones.ts'
import { hostedElsewhere, insertLiveZone } from './publish-zone.ts'
import { mayAdd, mayHaveOneMore, refuseOwn } from './rules.ts'
import { nextSerial } from './serial-clock.ts'
import { type CountedSurroundings, countedSurroundingsOf, insertZone, type NewZone, type ZoneRow } from './store.ts'
import { readUnderLocks, type Taking } from './taking-store.ts'
import { startVerification } from './verification-store.ts'
import { tellOthers } from './verify-zone.ts'
import { namesAbove, parseZoneName, type ZoneName } from './zone-name.ts'

/** Options of a new zone, besides its name. */
export interface ZoneOwner {
  readonly actor: Actor
  readonly accountId: string
  /** Names that cannot be added, with all names above and below them: `serviceNamesOf`; for the operator only the catalog zone's name. */
  readonly serviceDomains: readonly string[]
}

/** Whether the account has a domain with one of these names, until the transaction ends. Domains are a higher level: `compose` passes this in. */
export type HoldsDomain = (tx: Tx, accountId: string, names: readonly string[]) => Promise<boolean>

/** What adding a zone needs from other modules. */
export interface AddingParts extends TakingParts {
  readonly holdsDomain: HoldsDomain
}

/**
 * Adds a zone. Below a live zone of the account it is live immediately, and that zone delegates to it. Below a domain of the account, or
 * with its name, it is also live immediately. Otherwise, or if another account hosts the name here, it is pending: its records can be
 * edited, but nothing is published until control of the name is proved.
 */
export async function createZone(tx: Tx, parts: AddingParts, owner: ZoneOwner, text: string): Promise<ZoneRow> {
  const name = parseZoneName(text)
  // Locks the account so that its zones can be counted. Domains are locked after accounts and before zones.
  await lockAccount(tx, owner.accountId)
  const isHeld = await parts.holdsDomain(tx, owner.accountId, [name, ...namesAbove(name)])
  const around = await lookAround(tx, owner, name, { onlyBelowOwn: !isHeld })
  const { parent } = around
  if ((parent === undefined && !isHeld) || around.taken) {
    const zone = await writeZone(tx, owner, { ...around, state: 'pending', origin: 'added', parentId: null })
    await startVerification(tx, zone.id)
    return zone
  }
  return addLive(tx, parts, owner, around, { parentId: parent?.id ?? null })
}

/** Adds a zone that is live immediately, because the operator vouches for it. `freeParents`: parents of free names, which may be public suffixes. */
export async function addLiveZone(
  tx: Tx,
  parts: TakingParts,
  owner: ZoneOwner,
  name: string,
  freeParents: readonly string[] = [],
): Promise<ZoneRow> {
  await lockAccount(tx, owner.accountId) // so that its zones can be counted
  const around = await lookAround(tx, owner, parseZoneName(name, freeParents), {})
  if (around.taken) throw hostedElsewhere(around.name)
  return addLive(tx, parts, owner, around, { parentId: null, vouched: true })
}

/** Makes the zone live; the zone above it, if there is one, delegates to it. Accounts that wait for the name are notified. */
async function addLive(
  tx: Tx,
  parts: TakingParts,
  owner: ZoneOwner,
  around: NamedSurroundings,
  how: Pick<NewZone, 'parentId' | 'vouched'>,
): Promise<ZoneRow> {
  const ended = await loseZones(tx, parts, takeover, around)
  const live = await writeZone(tx, owner, { ...around, ...how, state: 'live', origin: 'added' })
  if (how.parentId !== null) await parts.delegate(tx, owner.actor, how.parentId, [{ name: live.name, present: true }])
  await delegateAll(tx, parts.delegate, takeover, ended)
  if (around.isAwaited) await tellOthers(tx, parts, around.name)
  return live
}

/**
 * Adds a zone below one of the service's own zones, live immediately. The caller has checked that no one else has the name, has locked the
 * account and the name, delegates to the zone, and removes the delegations to zones below it that were taken from other accounts.
 */
export async function addClaimedZone(
  tx: Tx,
  parts: MailContext,
  owner: Pick<ZoneOwner, 'actor' | 'accountId'>,
  name: ZoneName,
  parentId: string,
): Promise<{ readonly zone: ZoneRow; readonly ended: readonly ParentCut[] }> {
  const around = await mayAddClaimed(tx, name, owner.accountId)
  const ended = await loseZones(tx, parts, takeover, { name, others: around.others })
  const zone = await writeZone(tx, owner, { ...around, name, state: 'live', origin: 'claimed', parentId })
  return { zone, ended }
}

/** Checks that the account may have one more zone, of this name, and returns what is known about the name. Throws the refusal otherwise. */
export async function mayAddClaimed(db: Db, name: ZoneName, accountId: string): Promise<CountedSurroundings> {
  const around = await countedSurroundingsOf(db, name, accountId)
  refuseOwn(name, around)
  mayHaveOneMore(around)
  return around
}

type NamedSurroundings = CountedSurroundings & { readonly name: ZoneName }

/** What is known about a name that a locked account wants to add. */
async function lookAround(
  tx: Tx,
  owner: ZoneOwner,
  name: ZoneName,
  taking: Pick<Taking, 'onlyBelowOwn'>,
): Promise<NamedSurroundings> {
  // Locked, so that no zone above it is deleted in the meantime.
  const around = await readUnderLocks(tx, [{ name, by: owner.accountId, ...taking }], () =>
    countedSurroundingsOf(tx, name, owner.accountId),
  )
  mayAdd(name, around, owner.serviceDomains)
  return { ...around, name }
}

/** Writes a new zone with the next serial of its name. */
export async function writeZone(
  tx: Tx,
  { accountId, actor }: Pick<ZoneOwner, 'actor' | 'accountId'>,
  zone: Pick<NewZone, 'name' | 'state' | 'origin' | 'parentId' | 'vouched'> & {
    readonly lastSerial: number | undefined
    readonly serialClock: number
  },
): Promise<ZoneRow> {
  const { name, state, origin, parentId, vouched } = zone
  const serial = nextSerial(zone.lastSerial ?? 0, zone.serialClock)
  const row =
    state === 'live'
      ? await insertLiveZone(tx, { name, accountId, origin, serial, parentId, vouched })
      : await insertZone(tx, { name, accountId, state, origin, serial, parentId, vouched })
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'zone.added',
    zone: row,
    summary: `Zone ${row.name} was added (${state})`,
  })
  return row
}

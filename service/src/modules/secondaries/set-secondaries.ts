import { noSuchZone } from '#http/authorise.ts'
import { readKey } from '#modules/api-keys/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { hurryCheck } from '#modules/delegation/index.ts'
import { apexStep } from '#modules/primary/index.ts'
import { type Delegate, delegateAll, lockZone, nextSerial, type ZoneRow } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type FaultDetail, Faults } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { isInZone, keyFault, type WantedSecondary } from './rules.ts'
import { type Apex, readApex, readSecondaries, replaceSecondaries, writeNames } from './store.ts'

/** The new secondaries of a zone. */
export interface SecondariesWish {
  readonly zoneId: string
  readonly wanted: readonly WantedSecondary[]
  /** What is already known to be wrong with the request. */
  readonly faults: readonly FaultDetail[]
}

/**
 * Replaces the secondaries of a zone. If their names change, the NS records of the zone change with a new serial, and so do the NS records in
 * the zone here that delegates to it. This is no change of the customer's records: it makes no version and no event.
 *
 * @throws Refusal `not_found`, or `validation_failed` with everything that is wrong
 */
export async function setSecondaries(
  tx: Tx,
  actor: Actor,
  delegate: Delegate,
  { zoneId, wanted, faults }: SecondariesWish,
): Promise<void> {
  const zone = await lockZone(tx, zoneId)
  if (zone === undefined) throw noSuchZone()
  const names = wanted.flatMap(({ nsName }) => nsName ?? [])
  const apex = await readApex(tx, zoneId, names)
  const found = new Faults()
  const before = await readSecondaries(tx, zoneId)
  found.addAll([...faults, ...(await keyFaults(tx, zone, wanted, before)), ...addressFaults(zone, wanted, apex)])
  found.refuseAny()
  await replaceSecondaries(tx, zoneId, wanted)
  if (!isSame(names, zone.secondaryNames ?? [])) await changeNames(tx, actor, delegate, { zone, names, apex })
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'zone.secondaries_changed',
    zone,
    summary: summaryOf(zone.name, wanted),
  })
}

async function keyFaults(
  tx: Tx,
  zone: ZoneRow,
  wanted: readonly WantedSecondary[],
  before: readonly WantedSecondary[],
): Promise<FaultDetail[]> {
  const faults: FaultDetail[] = []
  for (const [i, { address, keyId }] of wanted.entries()) {
    // Otherwise a key that ended would keep the owner from removing other secondaries.
    if (before.some((each) => each.address === address && each.keyId === keyId)) continue
    const message = keyFault(await readKey(tx, keyId), zone)
    if (message !== undefined) faults.push({ path: `/secondaries/${i}/key_id`, code: 'bad_key', message })
  }
  return faults
}

function addressFaults(zone: ZoneRow, wanted: readonly WantedSecondary[], { addressed }: Apex): FaultDetail[] {
  return wanted.flatMap(({ nsName }, i) => {
    if (nsName === null || !isInZone(nsName, zone.name) || addressed.includes(nsName)) return []
    const message = `${nsName} has no A or AAAA record in ${zone.name}. Add one first.`
    return [{ path: `/secondaries/${i}/ns_name`, code: 'no_address', message }]
  })
}

async function changeNames(
  tx: Tx,
  actor: Actor,
  delegate: Delegate,
  { zone, names, apex }: { zone: ZoneRow; names: readonly string[]; apex: Apex },
): Promise<void> {
  const { name, serial, parentId } = zone
  const { ours, serialClock } = apex
  const isLive = zone.state === 'live'
  const before = [...ours, ...(zone.secondaryNames ?? [])]
  const step = isLive ? apexStep({ name, serial, serialClock }, before, [...ours, ...names]) : undefined
  await writeNames(tx, zone.id, names, { step, serial: nextSerial(serial, serialClock) })
  if (!isLive) return
  await hurryCheck(tx, name)
  tx.wakeAfterCommit('zones_changed', zone.id)
  if (parentId !== null) await delegateAll(tx, delegate, actor, [{ parentId, name, present: true, nameservers: ours }])
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, i) => name === others[i])
}

function summaryOf(zone: string, wanted: readonly WantedSecondary[]): string {
  if (wanted.length === 0) return `The secondaries of ${zone} were removed`
  return `The secondaries of ${zone} were set to ${wanted.map(({ address }) => address).join(', ')}`
}

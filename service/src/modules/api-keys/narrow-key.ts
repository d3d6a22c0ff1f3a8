import type { WirePick } from '@zonewright/contract'
import { recordAudit } from '#modules/audit/index.ts'
import { holdDomains } from '#modules/domains/index.ts'
import { lockZones } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { holdScope, refuseFaults } from './create-key.ts'
import { noSuchKey } from './create-tsig.ts'
import { planNarrowing, type Remainder } from './narrowing.ts'
import { askedOf } from './pick-scope.ts'
import {
  type FoundPick,
  findPicks,
  forgetDeletedZones,
  readEntries,
  replaceScope,
  type ScopeEntry,
} from './scope-store.ts'
import { type LiveKey, lockLiveKey, setReach } from './store.ts'

/**
 * Removes zones, domains, permissions and record sets from an active key. Nothing can be added. It counts from the next request on, in every
 * process. Returns whether the key has changed.
 *
 * @throws Refusal `not_found`, or `validation_failed` that says what would be wider
 */
export async function narrowKey(
  tx: Tx,
  actor: Actor,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  wanted: Remainder,
): Promise<boolean> {
  const key = await lockLiveKey(tx, accountId, keyId)
  if (key === undefined) throw noSuchKey()
  const picks = Array.isArray(wanted.zones) ? (wanted.zones as readonly WirePick[]) : []
  const found = await findPicks(tx, accountId, picks.map(askedOf))
  const entries = await heldEntries(tx, accountId, { key, keyId, found })
  const { next, faults } = planNarrowing({ ...key, entries }, wanted, found)
  refuseFaults(faults)
  // A deleted zone that is restored would return with more access than is left now.
  if (wanted.zones !== undefined || wanted.limits !== undefined) await forgetDeletedZones(tx, keyId)
  if (next === undefined) return false
  await setReach(tx, keyId, next)
  await replaceScope(tx, keyId, next.entries)
  await recordAudit(tx, {
    accountId,
    actor,
    action: 'key.narrowed',
    summary: `API key ${JSON.stringify(key.name)} was restricted`,
    reference: { key: keyId },
  })
  return true
}

/**
 * The zones and domains that the key covers, locked: if the account loses any of them later, that transaction finds the key. For a key for all zones:
 * the found ones that it covers.
 */
async function heldEntries(
  tx: Tx,
  accountId: string,
  { key, keyId, found }: { key: LiveKey; keyId: string; found: readonly FoundPick[] },
): Promise<ScopeEntry[]> {
  if (key.allZones) {
    const own = found.filter(({ isOwn }) => isOwn)
    const entries = [
      ...new Map(own.map(({ kind, id, name }) => [`${kind} ${id}`, { kind, id, name, limits: null }])).values(),
    ]
    await holdScope(tx, accountId, idsOf(entries))
    return entries
  }
  const { zones, domains } = idsOf(await readEntries(tx, keyId))
  await holdDomains(tx, accountId, domains)
  await lockZones(tx, zones)
  return readEntries(tx, keyId)
}

function idsOf(entries: readonly ScopeEntry[]): { zones: string[]; domains: number[] } {
  const of = (wanted: ScopeEntry['kind']) => entries.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  return { zones: of('zone'), domains: of('domain').map(Number) }
}

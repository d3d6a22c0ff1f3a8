import { lockAccount } from '#modules/accounts/index.ts'
import {
  addClaimedZone,
  delegateAll,
  liveZoneNamed,
  lockNames,
  mayAddClaimed,
  type ParentCut,
  readZone,
  type TakingParts,
  unlimitRrsets,
  type ZoneName,
  type ZoneRow,
} from '#modules/zones/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { mayClaim } from './rules.ts'
import { insertClaims, readStandings } from './store.ts'

/** A request for a name under one of the service's domains. */
export interface Claim {
  readonly actor: Actor
  readonly accountId: string
  readonly name: ZoneName
  readonly parent: string
}

/** The result of a claim. */
export type ClaimOutcome = { readonly zoneId: string } | { readonly refusal: Refusal }

/** The actor in the parent's history and audit log, which do not belong to the account that claims. */
const service = actorNamed('system', 'free subdomains')

/**
 * Claims names for many accounts at once. Each becomes its own live zone or is refused on its own, and each parent delegates to all of them in one
 * change, so that many claims cost it one serial.
 */
export async function claimSubdomains(
  tx: Tx,
  parts: TakingParts,
  claims: readonly Claim[],
): Promise<readonly ClaimOutcome[]> {
  // Locked so that their names can be counted, and in a fixed order to avoid deadlocks.
  for (const accountId of [...new Set(claims.map((claim) => claim.accountId))].sort()) await lockAccount(tx, accountId)
  const parents = await lockParents(tx, claims)
  const standings = await readStandings(tx, claims)
  const made: (Claim & { readonly zoneId: string; readonly parentId: string })[] = []
  const ended: ParentCut[] = []
  const outcomes: ClaimOutcome[] = []
  for (const [i, claim] of claims.entries()) {
    try {
      const parent = parents.get(claim.parent)
      if (parent === undefined) throw parentIsAway(claim.parent)
      const standing = standings[i] ?? { taken: true, claimed: 0 }
      mayClaim(claim.name, {
        taken: standing.taken || made.some(({ name }) => name === claim.name),
        claimed: standing.claimed + made.filter(({ accountId }) => accountId === claim.accountId).length,
      })
      const { zone, ended: below } = await addClaimedZone(tx, parts, claim, claim.name, parent.id)
      ended.push(...below)
      made.push({ ...claim, zoneId: zone.id, parentId: parent.id })
      outcomes.push({ zoneId: zone.id })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.push({ refusal: error })
    }
  }
  if (made.length > 0) await insertClaims(tx, made)
  for (const parentId of new Set(made.map((claim) => claim.parentId))) await unlimitRrsets(tx, parentId)
  const begun = made.map(({ name, parentId }) => ({ parentId, name, present: true }))
  await delegateAll(tx, parts.delegate, service, [...begun, ...ended])
  return outcomes
}

/** Why a claim would be refused now; undefined: it would succeed. Uses the same rules as the claim. */
export async function refusalOfClaim(
  db: Db,
  claim: Pick<Claim, 'accountId' | 'name' | 'parent'>,
): Promise<Refusal | undefined> {
  try {
    if ((await liveZoneNamed(db, claim.parent)) === undefined) throw parentIsAway(claim.parent)
    const [standing] = await readStandings(db, [claim])
    if (standing !== undefined) mayClaim(claim.name, standing)
    await mayAddClaimed(db, claim.name, claim.accountId)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return undefined
}

function parentIsAway(parent: string): Refusal {
  return new Refusal('conflict', `Names under ${parent} are not available yet.`)
}

/** The parents' live zones, locked together with all zones that the names concern. */
async function lockParents(tx: Tx, claims: readonly Claim[]): Promise<ReadonlyMap<string, ZoneRow>> {
  const found: ZoneRow[] = []
  for (const name of new Set(claims.map(({ parent }) => parent))) {
    const zone = await liveZoneNamed(tx, name)
    if (zone !== undefined) found.push(zone)
  }
  const takings = claims.map(({ name, accountId }) => ({ name, by: accountId }))
  await lockNames(
    tx,
    takings,
    found.map(({ id }) => id),
  )
  const locked = new Map<string, ZoneRow>()
  for (const { id } of found) {
    const zone = await readZone(tx, id)
    if (zone?.state === 'live') locked.set(zone.name, zone)
  }
  return locked
}

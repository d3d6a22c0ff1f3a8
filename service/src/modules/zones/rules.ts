import { Refusal } from '#platform/errors.ts'
import { refuseServiceName } from './service-names.ts'
import type { ZoneName } from './zone-name.ts'

/** Zones that an account may have, unless an operator has set another limit (design: zones, "Life"). */
export const usualZonesPerAccount = 1_000

/** What is known about a name before it becomes a zone. */
export interface Surroundings {
  /** The account's own zone of this name, pending or live. */
  readonly own: 'pending' | 'live' | undefined
  /** Another account's live zone of exactly this name. */
  readonly taken: boolean
  /** The nearest live zone above the name. */
  readonly parent: { readonly id: string; readonly name: string; readonly isOwn: boolean } | undefined
  readonly zonesOfAccount: number
  /** How many zones the account may have. */
  readonly zoneLimit: number
}

/** Checks that the account may add this name. Throws the refusal otherwise. */
export function mayAdd(name: ZoneName, around: Surroundings, serviceDomains: readonly string[]): void {
  refuseOwn(name, around)
  refuseServiceName(name, serviceDomains)
  if (around.parent?.isOwn === false) throw underForeignZone(name)
  mayHaveOneMore(around)
}

/** Throws `zone_exists` if the account has a zone of the name. */
export function refuseOwn(name: string, { own }: Pick<Surroundings, 'own'>): void {
  if (own !== undefined) throw new Refusal('zone_exists', `This account already has the zone ${name} (${own}).`)
}

export function underForeignZone(name: string): Refusal {
  return new Refusal(
    'conflict',
    `${name} is under a zone that another account hosts here. Only the owner of that zone can add or delegate it.`,
  )
}

/** Throws `zone_limit` if the account has reached its limit of zones. */
export function mayHaveOneMore({
  zonesOfAccount,
  zoneLimit,
}: Pick<Surroundings, 'zonesOfAccount' | 'zoneLimit'>): void {
  if (zonesOfAccount >= zoneLimit)
    throw new Refusal(
      'zone_limit',
      `This account can have at most ${zoneLimit} zones. Contact support to raise the limit.`,
    )
}

/**
 * A zone of another account that it may lose with a name: a deleted zone of that name, or a live or deleted one below it that was added
 * under a zone or domain of its own account, and so without a proof.
 */
export interface OthersZone {
  readonly id: string
  readonly name: string
  readonly accountId: string
  readonly state: 'live' | 'deleted'
}

/** A live zone that does not depend on a zone above it: it was proved, bought or claimed, or the operator vouched for it. */
export type StandingZone = Pick<OthersZone, 'name' | 'accountId'>

/**
 * Which zones of other accounts at and below a name are lost when it goes live: all at the name, and those below it that are not below a
 * standing zone of the same account.
 */
export function lostWith(name: string, others: readonly OthersZone[], standing: readonly StandingZone[]): OthersZone[] {
  const restsOn = (zone: OthersZone, own: StandingZone): boolean =>
    own.accountId === zone.accountId && own.name.endsWith(`.${name}`) && zone.name.endsWith(`.${own.name}`)
  return others.filter((zone) => !standing.some((own) => restsOn(zone, own)))
}

/** Maximum number of free subdomains that an account may have at once (design: zones, "Life"). */
export const maxFreeSubdomains = 3

/** How long a deleted zone is kept, so that its owner can restore it (design: zones, "Life"). */
export const undoDays = 7

/** Checks that the account may restore its deleted zone, and throws the refusal otherwise. Claimed names are below another account's zone. */
export function mayRestore(
  { name, parentId, isLost }: { name: string; parentId: string | null; isLost: boolean },
  around: Surroundings,
): void {
  refuseOwn(name, around)
  if (around.taken) throw new Refusal('zone_exists', `Another account now hosts ${name} here.`)
  if (isLost)
    throw new Refusal(
      'not_found',
      `${name} has since moved to another account, or was lost in a contest. Add it again and prove control of it.`,
    )
  if (around.parent?.isOwn === false && around.parent.id !== parentId) throw underForeignZone(name)
  mayHaveOneMore(around)
}

import { isServiceName, maxFreeSubdomains, parseZoneName, type ZoneName } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { reservedLabels } from './reserved-labels.ts'

/** Minimum and maximum number of characters in a label below the parent (design: zones, "Life"). */
const labelLength = { least: 3, most: 63 }

/** How long no one else can claim a deleted name. */
export const holdDays = 30

/** Why a name cannot be claimed, as a code and as a sentence. */
export interface Obstacle {
  readonly reason: 'invalid' | 'reserved' | 'taken' | 'not_offered' | 'limit'
  readonly message: string
}

/** A name that can be claimed, as far as this can be checked without queries, and the parent domain. */
export interface Claimable {
  readonly name: ZoneName
  readonly parent: string
}

/** Requires one label of 3 to 63 characters under one of the parents, and no name of the service; otherwise returns the reason. */
export function parseClaim(
  text: string,
  parents: readonly string[],
  serviceNames: readonly string[],
): Claimable | Obstacle {
  let name: ZoneName
  try {
    name = parseZoneName(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { reason: 'invalid', message: error.message }
  }
  // Use the closest parent, because parents can be nested.
  const [parent] = parents
    .filter((each) => name.endsWith(`.${each}`))
    .toSorted((one, other) => other.length - one.length)
  if (parent === undefined)
    return { reason: 'not_offered', message: `Names can be claimed only under ${parents.join(', ') || 'no domain'}.` }
  const label = name.slice(0, -parent.length - 1)
  if (label.includes('.') || label.length < labelLength.least || label.length > labelLength.most)
    return {
      reason: 'invalid',
      message: `A name must have one label of ${labelLength.least} to ${labelLength.most} characters before .${parent}.`,
    }
  // RFC 5891 §4.2.3.1: such labels are for machines, and look different to people.
  if (reservedLabels.has(label) || label.slice(2, 4) === '--' || isServiceName(name, serviceNames))
    return { reason: 'reserved', message: `${label} is reserved.` }
  return { name, parent }
}

/** The state of a name and an account before the claim. */
export interface ClaimStanding {
  /** The name is a zone, is reserved for another account, or the operator has records of it in the parent. */
  readonly taken: boolean
  /** Number of names that the account currently has. */
  readonly claimed: number
}

/** Checks that the account may claim the name. Throws the refusal otherwise. */
export function mayClaim(name: string, standing: ClaimStanding): void {
  if (standing.taken) throw nameTaken(name)
  if (standing.claimed >= maxFreeSubdomains)
    throw new Refusal(
      'subdomain_limit',
      `An account can have at most ${maxFreeSubdomains} free subdomains. Delete one first.`,
    )
}

export function nameTaken(name: string): Refusal {
  return new Refusal('zone_exists', `${name} is taken or was in use recently. Choose another name.`)
}

/** The refusal of a claim as the reason why its name is not available. */
export function obstacleOf({ code, message }: Refusal): Obstacle {
  if (code === 'subdomain_limit' || code === 'zone_limit') return { reason: 'limit', message }
  return { reason: code === 'zone_exists' ? 'taken' : 'not_offered', message }
}

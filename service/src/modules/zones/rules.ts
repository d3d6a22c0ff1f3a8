import { Refusal } from '#platform/errors.ts'
import type { ZoneName } from './zone-name.ts'

/** Zones that an account may have (design: zones, "Life"). */
export const maxZonesPerAccount = 1_000

/** What is known about a name before it becomes a zone. */
export interface Surroundings {
  /** The account's own zone of this name, pending or live. */
  readonly own: 'pending' | 'live' | undefined
  /** Somebody else's live zone of this very name. */
  readonly taken: boolean
  /** Somebody else's live zone above the name. */
  readonly foreignAncestor: string | undefined
  readonly zonesOfAccount: number
}

/** May the account add this name? Throws the refusal otherwise. */
export function mayAdd(name: ZoneName, around: Surroundings, serviceDomains: readonly string[]): void {
  if (around.own !== undefined)
    throw new Refusal('zone_exists', `${name} is one of this account's zones already (${around.own}).`)
  if (serviceDomains.some((own) => name === own || own.endsWith(`.${name}`) || name.endsWith(`.${own}`)))
    throw new Refusal('validation_failed', `${name} belongs to this service itself.`, {
      details: [{ path: '/name', code: 'reserved', message: `${name} belongs to this service itself.` }],
    })
  if (around.foreignAncestor !== undefined)
    throw new Refusal(
      'conflict',
      `${name} lies under a zone that another account hosts here. Its owner can add it or delegate it.`,
    )
  if (around.zonesOfAccount >= maxZonesPerAccount)
    throw new Refusal('zone_limit', `An account may have ${maxZonesPerAccount} zones. Ask support for more.`)
}

/** The first serial of a zone: after whatever a zone of this name was last published with, never behind the clock. */
export function firstSerial(last: number | undefined, unixSeconds: number): number {
  return Math.max((last ?? 0) + 1, unixSeconds)
}

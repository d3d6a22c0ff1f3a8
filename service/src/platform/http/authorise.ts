import type { Permission, Route } from '@zonewright/contract'
import { type Caller, holds } from '../caller.ts'
import { Refusal } from '../errors.ts'
import type { CalledZone } from './call.ts'

/**
 * May this caller make this call? Decided before anything is looked up for it, so that a refusal tells nothing.
 *
 * Throws `forbidden` naming everything that the key lacks, or `not_found` for a zone that is not the caller's to see
 * (specification, "Errors"; design: api, "Who may call").
 */
export function authorise(route: Route, caller: Caller, zone: CalledZone | undefined): void {
  if (route.who === 'public') return
  if (route.who === 'session') {
    if (caller.kind !== 'session')
      throw new Refusal('forbidden', 'This can be done only in the dashboard, not with an API key.')
    refuseMissing(route, zone)
    return
  }
  const lacking = [lackingPermission(route.who, caller), lackingZone(zone)].filter((lack) => lack !== undefined)
  if (lacking.length > 0)
    throw new Refusal(
      'forbidden',
      `The key ${quoted(caller)} lacks ${lacking.join(' and ')}. Create a key that has it, or ask the account's owner.`,
    )
  refuseMissing(route, zone)
}

function refuseMissing(route: Route, zone: CalledZone | undefined): void {
  if (route.path.includes('{zone}') && zone === undefined) throw noSuchZone()
}

export function noSuchZone(): Refusal {
  return new Refusal('not_found', 'There is no such zone, or this account has no part in it.')
}

function lackingPermission(who: 'any-key' | readonly Permission[], caller: Caller): string | undefined {
  if (who === 'any-key' || who.some((permission) => holds(caller, permission))) return undefined
  return `the permission ${who.join(' or ')}`
}

function lackingZone(zone: CalledZone | undefined): string | undefined {
  return zone === undefined || zone.covered ? undefined : `the zone ${zone.name}`
}

function quoted(caller: Caller): string {
  return caller.kind === 'key' ? JSON.stringify(caller.keyName) : 'of this session'
}

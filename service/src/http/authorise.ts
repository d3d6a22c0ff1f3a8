import { allZonesPermissions, type Permission, type Route, type Who } from '@zonewright/contract'
import { type Caller, holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { CalledZone } from './call.ts'

/**
 * Whether this caller may make this call. Decided before anything is looked up for it, so that a refusal reveals nothing.
 *
 * Throws `forbidden` naming everything that the key lacks and how to get it, or `not_found` for a zone that the caller cannot see (specification,
 * "Errors"; design: api, "Who may call").
 */
export function authorise(
  route: Pick<Route, 'who' | 'wholeZone' | 'path'>,
  caller: Caller,
  zone: CalledZone | undefined,
): void {
  if (route.who === 'public') return
  if (caller.kind === 'key') authoriseKey(route.who, caller, zone)
  if (caller.kind === 'key' && caller.isLimited && route.wholeZone !== false) throw coversWholeZone(caller)
  if (route.path.includes('{zone}') && zone === undefined) throw noSuchZone()
}

export function noSuchZone(): Refusal {
  return new Refusal('not_found', 'This zone does not exist, or this account has no access to it.')
}

function coversWholeZone({ keyName }: Caller<'key'>): Refusal {
  const message = `The key ${JSON.stringify(keyName)} is limited to some record sets, and this call covers all of a zone. Create a key without limits.`
  return new Refusal('forbidden', message)
}

/** The refusal of a call that the key may not make. `remedy`: a sentence that says how to get a key that may make it. */
export function keyLacks({ keyName }: Caller<'key'>, what: string, remedy: string): Refusal {
  return new Refusal('forbidden', `The key ${JSON.stringify(keyName)} lacks ${what}. ${remedy}`)
}

/** How to get a key for a zone or domain that the account owns, or that is shared with it: a sentence. */
export function remedyFor(kind: 'zone' | 'domain', name: string, role: 'owner' | 'manager'): string {
  return role === 'owner'
    ? `Create a key for all zones, or one that includes ${name}.`
    : `Create a key that includes ${name}. A key for all zones does not cover ${kind}s that are shared with this account.`
}

function authoriseKey(who: Exclude<Who, 'public'>, caller: Caller<'key'>, zone: CalledZone | undefined): void {
  if (who === 'session') throw new Refusal('forbidden', 'API keys cannot do this. Use the dashboard.')
  const opening = who === 'any-key' ? [] : who
  const lacksPermission = opening.length > 0 && !opening.some((permission) => holds(caller, permission))
  const lacksZone = zone !== undefined && !zone.covered
  const lacking = [
    ...(lacksPermission ? [`the permission ${opening.join(' or ')}`] : []),
    ...(lacksZone ? [`the zone ${zone.name}`] : []),
  ]
  if (lacking.length === 0) return
  throw keyLacks(caller, lacking.join(' and '), remedy(opening, lacksZone, zone))
}

function remedy(opening: readonly Permission[], lacksZone: boolean, zone: CalledZone | undefined): string {
  if (opening.length > 0 && opening.every((permission) => allZonesPermissions.has(permission)))
    return zone?.role === 'manager'
      ? `API keys cannot do this in ${zone.name}, which is shared with this account. Use the dashboard.`
      : `Create a key for all zones that has the permission ${opening.join(' or ')}.`
  return lacksZone && zone ? remedyFor('zone', zone.name, zone.role) : 'Create a key that has this permission.'
}

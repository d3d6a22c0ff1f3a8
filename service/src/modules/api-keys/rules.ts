import {
  allZonesPermissions,
  displayFault,
  keyNameFault,
  limitablePermissions,
  type Permission,
} from '@zonewright/contract'
import { type FaultDetail, Refusal } from '#platform/errors.ts'

export const keyExpiries = { never: null, '30d': '30 days', '90d': '90 days', '1y': '1 year' } as const
export type KeyExpiry = keyof typeof keyExpiries

/** Maximum number of active keys of an account. */
export const maxLiveKeys = 5_000

/** The errors of a key that is to be created (specification, "Permissions"). */
export function faultsOfNewKey(key: {
  name: string
  allZones: boolean
  permissions: readonly Permission[]
  isLimited?: boolean
}): FaultDetail[] {
  const faults: FaultDetail[] = []
  if (key.name.trim() === '' || key.name.length > 100)
    faults.push({ path: '/name', code: 'invalid', message: keyNameFault })
  const hidden = displayFault(key.name)
  if (hidden !== undefined) faults.push({ path: '/name', code: 'bad_character', message: hidden })
  if (key.permissions.length === 0)
    faults.push({ path: '/permissions', code: 'missing', message: 'A key needs at least one permission.' })
  if (key.isLimited) return [...faults, ...faultsOfLimited(key)]
  if (!key.allZones)
    for (const permission of key.permissions.filter((wanted) => allZonesPermissions.has(wanted)))
      faults.push({
        path: '/permissions',
        code: 'all_zones_only',
        message: `Only keys for all zones can have ${permission}.`,
      })
  return faults
}

function faultsOfLimited(key: { allZones: boolean; permissions: readonly Permission[] }): FaultDetail[] {
  const possible: readonly Permission[] = limitablePermissions
  const faults = key.permissions
    .filter((permission) => !possible.includes(permission))
    .map((permission) => ({
      path: '/permissions',
      code: 'unlimited_only',
      message: `A key with limits cannot have ${permission}. It can have ${listed(possible)}.`,
    }))
  const message = 'A key for all zones cannot have limits. List the zones of the key.'
  return key.allZones ? [...faults, { path: '/limits', code: 'some_zones_only', message }] : faults
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Why a secret is refused: the words after "The API key". The message says which (specification, "Errors"). */
export function refuseKey(why: string): Refusal {
  return new Refusal('invalid_key', `The API key ${why}.`)
}

/**
 * The secret in an Authorization header. Undefined if there is no header: the visitor is signed out.
 *
 * The scheme can be in any letter case (RFC 9110 §11.1). Anything except one token after it is refused.
 */
export function secretFromHeader(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const token = /^bearer +([^\s,]+)$/i.exec(authorization)?.[1]
  if (token === undefined)
    throw new Refusal('invalid_key', 'The Authorization header is malformed. Send "Bearer <API key>".')
  return token
}

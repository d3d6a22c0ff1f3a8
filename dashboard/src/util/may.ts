import { allZonesPermissions, limitablePermissions, type Permission } from '@zonewright/contract'

/** The members of a zone or a domain that the decisions need. */
interface ZoneRole {
  readonly role: 'owner' | 'manager'
}

/** "May I do this now?", in one place. The server makes the final decision; these functions avoid offering what is not possible. */
export const may = {
  inviteManagers: (zone: ZoneRole | undefined): boolean => zone?.role === 'owner',
  changeSecondaries: (zone: ZoneRole | undefined): boolean => zone?.role === 'owner',
  deleteZone: (zone: ZoneRole | undefined): boolean => zone?.role === 'owner',
  /** Only the owner decides about the registrant, the lock and transfers of a domain. */
  ruleDomain: (domain: ZoneRole | undefined): boolean => domain?.role === 'owner',
  giveCodes: (account: { readonly two_factor: boolean } | undefined): boolean => account?.two_factor === true,
  makeKeys: (account: { readonly two_factor: boolean } | undefined): boolean => account?.two_factor === true,
}

/** Why a key of this scope cannot have a permission (specification, "Permissions"); undefined: it can. */
export function whyNotOnKey(
  permission: Permission,
  zones: 'all' | readonly unknown[],
  isLimited = false,
): string | undefined {
  if (isLimited && !(limitablePermissions as readonly Permission[]).includes(permission))
    return 'Not on keys with limits.'
  if (zones === 'all' || !allZonesPermissions.has(permission)) return undefined
  return 'Only on keys for all zones.'
}

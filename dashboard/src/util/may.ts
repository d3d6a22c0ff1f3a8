import { allZonesPermissions, type Permission } from '@zonewright/contract'

/** A zone or a domain, as far as deciding needs it. */
interface ZoneRole {
  readonly role: 'owner' | 'manager'
}

/** "May I do this now?", in one place. The server decides in the end; these keep what cannot be from being offered. */
export const may = {
  inviteManagers: (zone: ZoneRole | undefined): boolean => zone?.role === 'owner',
  deleteZone: (zone: ZoneRole | undefined): boolean => zone?.role === 'owner',
  /** Who has a domain, how it is locked and where it goes is its owner's to decide. */
  ruleDomain: (domain: ZoneRole | undefined): boolean => domain?.role === 'owner',
  giveCodes: (account: { readonly two_factor: boolean } | undefined): boolean => account?.two_factor === true,
  makeKeys: (account: { readonly two_factor: boolean } | undefined): boolean => account?.two_factor === true,
}

/** Why a key of this scope cannot have a permission (specification, "Permissions"); undefined: it can. */
export function whyNotOnKey(permission: Permission, zones: 'all' | readonly unknown[]): string | undefined {
  if (zones === 'all' || !allZonesPermissions.has(permission)) return undefined
  return 'Only on keys for all zones.'
}

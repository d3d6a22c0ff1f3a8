/** What a key may do (specification, "Permissions"), in the specification's order. */
export const permissions = [
  'records:read',
  'records:write',
  'zones:manage',
  'acme:dns01',
  'domains:read',
  'domains:buy',
  'domains:manage',
  'webhooks:manage',
] as const

export type Permission = (typeof permissions)[number]

export function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text)
}

/** Permissions that a key with limits can have: limits are about record sets. */
export const limitablePermissions = [
  'records:read',
  'records:write',
  'acme:dns01',
] as const satisfies readonly Permission[]

/** Permissions that exist only on keys for all zones: refused when a key for particular zones is created. */
export const allZonesPermissions: ReadonlySet<Permission> = new Set(['zones:manage', 'domains:buy', 'webhooks:manage'])

import type { WireAuditEntry } from '@zonewright/contract'
import type { AuditRow } from './read-audit.ts'

type Reference = NonNullable<WireAuditEntry['reference']>

/** The members of a stored reference that name an object, most specific first. */
const kinds = ['order', 'key', 'endpoint'] as const satisfies readonly Reference['kind'][]

/**
 * The object that an entry is about. A manager of a zone cannot open the owner's other objects, so entries of other accounts refer only to the zone
 * and its versions.
 */
export function referenceOf({
  reference,
  zoneId,
  domain,
  isOwn,
}: Pick<AuditRow, 'reference' | 'zoneId' | 'domain' | 'isOwn'>): Reference | null {
  const own = isOwn ? kinds.find((kind) => typeof reference?.[kind] === 'string') : undefined
  if (own !== undefined) return { kind: own, id: String(reference?.[own]) }
  // Version 0 is the empty zone, which has no entry in the history.
  const version = reference?.['version']
  if (zoneId !== null && typeof version === 'number' && version > 0) return { kind: 'version', id: String(version) }
  if (isOwn && domain !== null) return { kind: 'domain', id: domain }
  return zoneId === null ? null : { kind: 'zone', id: zoneId }
}

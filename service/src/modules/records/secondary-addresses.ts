import type { ZoneRow } from '#modules/zones/index.ts'
import type { FaultDetail } from '#platform/errors.ts'
import type { RrsetChange } from './rrset-change.ts'

/**
 * The errors of changes that remove the last address of a customer's own secondary, as long as the NS records of the zone name it.
 *
 * @param isThere whether there is a record set after the changes
 */
export function* addressFaults(
  { secondaryNames }: Pick<ZoneRow, 'secondaryNames'>,
  changes: readonly Pick<RrsetChange, 'name' | 'type'>[],
  pathOf: (index: number) => string,
  isThere: (rrset: { readonly name: string; readonly type: 'A' | 'AAAA' }) => boolean,
): Generator<FaultDetail> {
  const names = new Set(secondaryNames)
  if (names.size === 0) return
  for (const [i, { name, type }] of changes.entries()) {
    if ((type !== 'A' && type !== 'AAAA') || !names.has(name)) continue
    if (isThere({ name, type: 'A' }) || isThere({ name, type: 'AAAA' })) continue
    names.delete(name)
    yield {
      path: pathOf(i),
      code: 'secondary_address',
      message: `${name} is the name of a secondary in the NS records of this zone, so it must keep an A or AAAA record. Remove the name from the secondaries of the zone first.`,
    }
  }
}

import { holdsDomain } from '#modules/domains/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import type { AddingParts, ZoneRoutesContext } from '#modules/zones/index.ts'
import type { Outside } from './outside.ts'
import { nameserversOf, type Parts } from './parts.ts'

/** The dependencies of adding zones, for this configuration. */
export function zonePartsOf({
  configuration,
  secrets,
}: Pick<Parts, 'configuration' | 'secrets'>): AddingParts & Pick<ZoneRoutesContext, 'nameservers'> {
  const nameservers = nameserversOf({ configuration })
  return { delegate: delegateTo(nameservers), holdsDomain, nameservers, secrets, site: configuration.publicUrl }
}

/** The additional dependencies of proving control of zones. */
export function verificationOf(
  parts: Pick<Parts, 'configuration' | 'secrets'>,
  { resolver, parentDns }: Pick<Outside, 'resolver' | 'parentDns'>,
): Omit<ZoneRoutesContext, 'replicated' | 'delegations' | 'presetIds'> {
  return { ...zonePartsOf(parts), resolver, parentDns }
}

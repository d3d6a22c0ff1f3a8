import { holdsDomain } from '#modules/domains/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import type { AddingParts, ZoneRoutesContext } from '#modules/zones/index.ts'
import type { Outside } from './outside.ts'
import { nameserversOf, type Parts } from './parts.ts'

/** What adding zones needs, for this configuration. */
export function zonePartsOf({
  configuration,
  secrets,
}: Pick<Parts, 'configuration' | 'secrets'>): AddingParts & Pick<ZoneRoutesContext, 'nameservers'> {
  const nameservers = nameserversOf({ configuration })
  return { delegate: delegateTo(nameservers), holdsDomain, nameservers, secrets, site: configuration.publicUrl }
}

/** What proving control of zones needs as well. */
export function verificationOf(
  parts: Pick<Parts, 'configuration' | 'secrets'>,
  { resolver, parentDns }: Pick<Outside, 'resolver' | 'parentDns'>,
): Omit<ZoneRoutesContext, 'replicated' | 'delegations' | 'presetIds'> {
  return { ...zonePartsOf(parts), resolver, parentDns }
}

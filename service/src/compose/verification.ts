import { createParentDns } from '#adapters/dns/index.ts'
import { createDnsResolver } from '#adapters/dns-resolver/index.ts'
import { holdsDomain } from '#modules/domains/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import type { ZoneRoutesContext } from '#modules/zones/index.ts'
import type { Platform } from './platform.ts'

/** What proving control of zones needs, for this configuration. */
export function verificationOf({
  configuration,
  secrets,
}: Platform): Pick<
  ZoneRoutesContext,
  'resolver' | 'parentDns' | 'delegate' | 'holdsDomain' | 'nameservers' | 'secrets' | 'site'
> {
  const nameservers = configuration.nameservers.map(({ name }) => name)
  return {
    resolver: createDnsResolver({ servers: configuration.verificationResolver }),
    parentDns: createParentDns(configuration.delegationResolver),
    delegate: delegateTo(nameservers),
    holdsDomain,
    nameservers,
    secrets,
    site: configuration.publicUrl,
  }
}

import type { Response, ResponseData } from '@zonewright/epp'
import type { DomainInfo, Transfer } from '#ports/registry.ts'
import { needed } from './ask.ts'

/** The registry's data of a domain, in the form of the port. Throws if the response lacks it. */
export function domainInfoOf({ data, extensions }: Pick<Response, 'data' | 'extensions'>): DomainInfo {
  const info = needed(data['domain:infData'], 'domain:infData')
  const { ds, keys } = extensions['secDNS:infData'] ?? { ds: [], keys: [] }
  return {
    name: info.name.toLowerCase(),
    roid: info.roid,
    statuses: info.statuses,
    graceStatuses: extensions['rgp:infData']?.statuses ?? [],
    registrant: info.registrant ?? null,
    contacts: info.contacts,
    nameservers: hostNames(info.nameservers).sort(),
    subordinateHosts: info.hosts.map(hostName).sort(),
    isSigned: ds.length + keys.length > 0,
    dsRecords: ds.map(({ keyTag, algorithm, digestType, digest }) => ({ keyTag, algorithm, digestType, digest })),
    sponsor: info.clId,
    createdAt: info.crDate ?? null,
    updatedAt: info.upDate ?? null,
    expiresAt: info.exDate ?? null,
    transferredAt: info.trDate ?? null,
    authInfo: info.authInfo ?? null,
  }
}

export function transferOf(data: ResponseData): Transfer {
  const { name, status, reId, reDate, acId, acDate, exDate } = needed(data['domain:trnData'], 'domain:trnData')
  return {
    name: name.toLowerCase(),
    status,
    requestedBy: reId,
    requestedAt: reDate,
    actor: acId,
    actBy: acDate,
    expiresAt: exDate ?? null,
  }
}

function hostNames(nameservers: NonNullable<ResponseData['domain:infData']>['nameservers']): string[] {
  if (nameservers === undefined) return []
  return nameservers.form === 'objects'
    ? nameservers.hosts.map(hostName)
    : nameservers.hosts.map(({ name }) => hostName(name))
}

/** Some registries send names with a final dot and capital letters. */
export function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

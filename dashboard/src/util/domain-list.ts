import type { WireDomain } from '@zonewright/contract'
import { csvOf } from './csv.ts'
import { dsWord, isExpiry, matching, type SortKeys, sortedBy } from './listed.ts'

/** The filters and the order of the list of domains, as in the URL. A filter that is absent has no effect. */
export interface DomainSearch {
  readonly q?: string
  readonly role?: string
  readonly status?: string
  /** `month`, `expired`, or `unknown`. */
  readonly expiry?: string
  /** `true` or `false`. */
  readonly locked?: string
  /** `true` or `false`. */
  readonly renews?: string
  readonly dnssec?: string
  /** As in the API. */
  readonly sort?: string
}

export const domainSearchNames = [
  ...(['q', 'role', 'status', 'expiry'] as const),
  ...(['locked', 'renews', 'dnssec', 'sort'] as const),
]

/** The domains that match all filters, in their order. `now`: milliseconds. */
export function shownDomains(domains: readonly WireDomain[], search: DomainSearch, now: number): readonly WireDomain[] {
  const { role, status, expiry, locked, renews, dnssec, sort } = search
  const text = (search.q ?? '').trim().toLowerCase()
  const found = matching(domains, [
    [text, ({ name, unicode_name: shown }) => name.includes(text) || shown.toLowerCase().includes(text)],
    [role, (domain) => domain.role === role],
    [status, (domain) => domain.status === status],
    [expiry, ({ expires_at: at }) => isExpiry(at, expiry, now)],
    [locked, (domain) => String(domain.locked) === locked],
    [renews, ({ auto_renew: isOn }) => String(isOn) === renews],
    [dnssec, (domain) => dsWord(domain.dnssec) === dnssec],
  ])
  return sortedBy(found, sort, sortKeys)
}

const sortKeys: SortKeys<WireDomain> = {
  status: ({ status }) => status,
  expires_at: ({ expires_at: at }) => at,
  created_at: ({ created_at: at }) => at,
}

/** Domains as a table. */
export function domainsAsCsv(domains: readonly WireDomain[]): string {
  return csvOf(domains, {
    name: ({ name }) => name,
    unicode_name: ({ unicode_name: name }) => name,
    status: ({ status }) => status,
    expires_at: ({ expires_at: at }) => at,
    auto_renew: ({ auto_renew: isOn }) => isOn,
    locked: ({ locked }) => locked,
    parent_ds: ({ dnssec }) => dnssec.parent_ds,
    nameservers: ({ nameservers }) => nameservers.join(' '),
    role: ({ role }) => role,
    created_at: ({ created_at: at }) => at,
  })
}

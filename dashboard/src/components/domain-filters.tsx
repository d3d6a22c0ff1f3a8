import { FilterBar } from '../ui/filter-bar.tsx'
import { FilterBox } from '../ui/filter-box.tsx'
import {
  dnssecOptions,
  expiryOptions,
  FilterChoice,
  type FilterOptions,
  roleOptions,
  SortChoice,
} from '../ui/filter-choice.tsx'
import type { DomainSearch } from '../util/domain-list.ts'
import { domainStatusOptions } from './badges.tsx'

/** Fields that filter and sort the list of domains. */
export function DomainFilters({
  search,
  onChange,
}: {
  search: DomainSearch
  onChange: (change: DomainSearch) => void
}) {
  const choice = (name: keyof DomainSearch & string) => ({
    value: search[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const more = (
    <>
      <FilterChoice label="Auto-renew" all="Auto-renew or not" options={renewals} width={180} {...choice('renews')} />
      <FilterChoice label="Lock" all="Locked or not" options={locks} {...choice('locked')} />
      <FilterChoice label="DNSSEC" all="DS or not" options={dnssecOptions} width={190} {...choice('dnssec')} />
      <FilterChoice label="Role" all="Any role" options={roleOptions} {...choice('role')} />
    </>
  )
  return (
    <FilterBar more={more} rarer={rarer} search={search} onChange={onChange}>
      <FilterBox label="Filter domains" value={search.q ?? ''} onChange={(q) => onChange({ q })} />
      <FilterChoice label="State" all="Any state" options={domainStatusOptions} width={150} {...choice('status')} />
      <FilterChoice label="Expiry" all="Any expiry" options={expiryOptions} width={200} {...choice('expiry')} />
      <SortChoice orders={orders} {...choice('sort')} />
    </FilterBar>
  )
}

const rarer = ['renews', 'locked', 'dnssec', 'role'] as const

const renewals: FilterOptions = [
  { value: 'true', label: 'Auto-renew on' },
  { value: 'false', label: 'Auto-renew off' },
]
const locks: FilterOptions = [
  { value: 'true', label: 'Locked' },
  { value: 'false', label: 'Not locked' },
]
const orders: FilterOptions = [
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: 'expires_at', label: 'Expires first' },
  { value: '-created_at', label: 'Newest first' },
  { value: 'status', label: 'By state' },
]

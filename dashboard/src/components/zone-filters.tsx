import { useMemo } from 'react'
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
import { type ListedZone, labelsOf, presetsOf, type ZoneSearch } from '../util/zone-list.ts'

/** Fields that filter and sort the list of zones. The rarer ones appear on request, and while one of them is used. */
export function ZoneFilters({
  zones,
  search,
  onChange,
}: {
  zones: readonly ListedZone[]
  search: ZoneSearch
  onChange: (change: ZoneSearch) => void
}) {
  const labels = useMemo(() => labelsOf(zones), [zones])
  const presets = useMemo(() => presetsOf(zones), [zones])
  const choice = (name: keyof ZoneSearch & string) => ({
    value: search[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const more = (
    <>
      <FilterChoice
        label="Label"
        all="Any label"
        options={labels.map(({ label, zones: count }) => ({
          value: label,
          label: `${label} (${count.toLocaleString('en')})`,
        }))}
        {...choice('label')}
      />
      <FilterChoice label="Role" all="Any role" options={roleOptions} {...choice('role')} />
      <FilterChoice label="Expiry" all="Any expiry" options={expiryOptions} width={200} {...choice('expiry')} />
      <FilterChoice label="DNSSEC" all="DS or not" options={dnssecOptions} width={190} {...choice('dnssec')} />
      <FilterChoice
        label="Preset"
        all="Any preset"
        options={presets.map((id) => ({ value: id, label: id }))}
        width={230}
        {...choice('preset')}
      />
    </>
  )
  return (
    <FilterBar more={more} rarer={rarer} search={search} onChange={onChange}>
      <FilterBox label="Filter zones" value={search.q ?? ''} onChange={(q) => onChange({ q })} />
      <FilterChoice label="State" all="Any state" options={states} width={130} {...choice('state')} />
      <FilterChoice
        label="Delegation"
        all="Any delegation"
        options={delegations}
        width={175}
        {...choice('delegation')}
      />
      <SortChoice orders={orders} {...choice('sort')} />
    </FilterBar>
  )
}

const rarer = ['label', 'role', 'expiry', 'dnssec', 'preset'] as const

const states: FilterOptions = [
  { value: 'live', label: 'Live' },
  { value: 'pending', label: 'To verify' },
]
const delegations: FilterOptions = [
  { value: 'live', label: 'Delegated' },
  { value: 'partial', label: 'Partly delegated' },
  { value: 'waiting', label: 'Not delegated yet' },
  { value: 'lost', label: 'Delegation lost' },
  { value: 'missing', label: 'Not registered' },
]
const orders: FilterOptions = [
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: 'expires_at', label: 'Expires first' },
  { value: '-created_at', label: 'Newest first' },
  { value: '-rrset_count', label: 'Most record sets' },
  { value: 'delegation', label: 'By delegation' },
  { value: '-state', label: 'To verify first' },
]

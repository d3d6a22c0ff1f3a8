import { NativeSelect } from '@mantine/core'

/** The values of a filter, and what they are called. */
export type FilterOptions = readonly { readonly value: string; readonly label: string }[]

/** A field that filters a list by one of a few values. It is the browser's own field, which loads nothing and suits phones. */
export function FilterChoice({
  label,
  all,
  options,
  width = 160,
  value = '',
  onChange,
}: {
  label: string
  /** The label of the choice that filters nothing. */
  all: string
  options: FilterOptions
  width?: number
  value: string | undefined
  onChange: (value: string) => void
}) {
  // A value that no item has, such as one in an old link, is also shown, so that it can be removed.
  const isKnown = value === '' || options.some((one) => one.value === value)
  const data = [{ value: '', label: all }, ...options, ...(isKnown ? [] : [{ value, label: value }])]
  return (
    <NativeSelect
      aria-label={label}
      data={data}
      value={value}
      w={width}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The field that sorts a list. The first order is the usual one. */
export function SortChoice({
  orders,
  value,
  onChange,
}: {
  orders: FilterOptions
  value: string | undefined
  onChange: (value: string) => void
}) {
  const usual = orders[0]?.value ?? ''
  return (
    <NativeSelect
      aria-label="Sort by"
      data={[...orders]}
      value={orders.some((one) => one.value === value) ? value : usual}
      w={170}
      onChange={({ currentTarget: { value: next } }) => onChange(next === usual ? '' : next)}
    />
  )
}

export const roleOptions: FilterOptions = [
  { value: 'owner', label: 'Mine' },
  { value: 'manager', label: 'Shared with me' },
]
export const expiryOptions: FilterOptions = [
  { value: 'month', label: 'Expires within 30 days' },
  { value: 'expired', label: 'Expired' },
  { value: 'unknown', label: 'Expiry not known' },
]
export const dnssecOptions: FilterOptions = [
  { value: 'ds', label: 'DS at the parent' },
  { value: 'no_ds', label: 'No DS at the parent' },
  { value: 'unknown', label: 'DS not known' },
]

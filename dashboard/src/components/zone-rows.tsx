import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Item } from '../api/client.ts'
import { TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { type RowPlace, VirtualRows } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { paths } from '../util/paths.ts'
import { DelegationBadge, ZoneStateBadge } from './badges.tsx'
import { NotesLine } from './notes-fields.tsx'
import { SelectAllBox, SelectBox } from './select-boxes.tsx'
import { UnsavedBadge } from './unsaved-badge.tsx'
import { useEditCounts } from './use-edits.ts'
import type { Selection } from './use-selection.ts'

export type ZoneItem = Item<'listZones'>

/**
 * Zones, one per row. `twice`: the names that two zones have. The links to those zones use ids. `sought`: the text that the list is filtered by.
 */
export function ZoneRows({
  zones,
  twice,
  sought,
  selection,
}: {
  zones: readonly ZoneItem[]
  twice: ReadonlySet<string>
  sought: string
  selection: Selection<ZoneItem>
}) {
  const isNarrow = useMediaQuery('(width < 48em)')
  const unsaved = useEditCounts()
  return (
    <VirtualRows
      items={zones}
      label="Zones"
      heightOf={() => (isNarrow ? 72 : 41)}
      keyOf={({ id }) => id}
      head={
        <div role="row" className="row row-head zone-row">
          <SelectAllBox of={selection} />
          <span role="columnheader">Zone</span>
          <span role="columnheader">State</span>
          <span role="columnheader" className="wide-only">
            Delegation
          </span>
          <span role="columnheader" className="wide-only">
            Expires
          </span>
          <span role="columnheader" className="wide-only number">
            Record sets
          </span>
          <span role="columnheader" className="wide-only">
            Role
          </span>
        </div>
      }
      row={(zone, place) => (
        <ZoneRow
          key={zone.id}
          zone={zone}
          address={twice.has(zone.name) ? zone.id : zone.name}
          sought={sought}
          unsaved={unsaved(zone.id)}
          isSelected={selection.keys.has(zone.id)}
          onSelect={(isRange) => selection.toggle(zone, isRange)}
          place={place}
        />
      )}
    />
  )
}

function ZoneRow({
  zone,
  address,
  sought,
  unsaved,
  isSelected,
  onSelect,
  place,
}: {
  zone: ZoneItem
  address: string
  sought: string
  unsaved: { here: number; elsewhere: number }
  isSelected: boolean
  onSelect: (isRange: boolean) => void
  place: RowPlace
}) {
  return (
    <div role="row" className={`row zone-row ${isSelected ? 'row-selected' : ''}`} {...place}>
      <div role="cell" className="select-box">
        <SelectBox label={zone.unicode_name} isSelected={isSelected} onToggle={onSelect} />
      </div>
      <div role="cell" className="cut zone-name">
        <TextLink {...paths.zone(address)} fw={600} size="sm" underline="hover" className="cut">
          <Name>{zone.unicode_name}</Name>
        </TextLink>{' '}
        <UnsavedBadge {...unsaved} />
        {zone.unicode_name !== zone.name && (
          <Text span size="xs" className="quiet cut">
            {zone.name}
          </Text>
        )}
        <NotesLine of={zone} sought={sought} />
      </div>
      <div role="cell">
        <ZoneStateBadge zone={zone} address={address} />
      </div>
      <div role="cell" className="wide-only">
        <DelegationBadge state={zone.delegation.state} zone={address} />
      </div>
      <div role="cell" className="wide-only">
        {zone.expires_at === null ? '–' : <When at={zone.expires_at} />}
      </div>
      <div role="cell" className="wide-only number">
        {zone.rrset_count.toLocaleString('en')}
      </div>
      <div role="cell" className="wide-only">
        {zone.role === 'owner' ? 'Owner' : 'Manager'}
      </div>
    </div>
  )
}

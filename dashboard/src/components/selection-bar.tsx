import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Selection } from './use-selection.ts'

/** Says how many items of a list are selected, and has the buttons for them. */
export function SelectionBar<T>({
  label,
  what,
  selected,
  shown,
  selection,
  children,
}: {
  label: string
  /** The items, in the plural. */
  what: string
  /** How many are selected, those that the filters hide included. */
  selected: number
  /** How many match the filters. */
  shown: number
  selection: Selection<T>
  children: ReactNode
}) {
  return (
    <Group className="card bulk-bar" px="xs" py="xs" gap="xs" role="region" aria-label={label}>
      <Text size="sm" fw={600} flex="1 1 auto" role="status">
        {selected.toLocaleString('en')} selected
      </Text>
      {selection.extent === 'some' && shown > selected && (
        <Button size="xs" variant="default" onClick={selection.toggleAll}>
          Select all {shown.toLocaleString('en')} {what} that match
        </Button>
      )}
      {children}
      <Button size="xs" variant="default" onClick={selection.clear}>
        Clear the selection
      </Button>
    </Group>
  )
}

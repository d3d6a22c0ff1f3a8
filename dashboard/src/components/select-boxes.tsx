import type { Selection } from './use-selection.ts'

/** The header of the column of boxes: one box for all items of the list. */
export function SelectAllBox({ of: { extent, toggleAll } }: { of: Selection<never> }) {
  return (
    <span role="columnheader" className="select-box">
      <span className="only-read">Selected</span>
      <input
        type="checkbox"
        aria-label="Select all"
        checked={extent === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = extent === 'some'
        }}
        disabled={extent === undefined}
        onChange={toggleAll}
      />
    </span>
  )
}

/**
 * The box of an item. With Shift, it selects everything from the last selected item to this one. It is the browser's own checkbox, because Mantine's
 * would be a large part of what the list of zones loads.
 */
export function SelectBox({
  label,
  isSelected,
  onToggle,
}: {
  /** What the item is called. */
  label: string
  isSelected: boolean
  onToggle: (isRange: boolean) => void
}) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${label}`}
      checked={isSelected}
      onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}

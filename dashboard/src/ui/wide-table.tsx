import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * A table that scrolls horizontally if it does not fit, also with the keyboard. `isStacked`: on a phone, the cells of a row are below each other, and
 * a cell shows its `data-label`.
 */
export function WideTable({
  label,
  minWidth,
  rowCount,
  isStacked = false,
  children,
}: {
  label: string
  minWidth: number
  /** The number of rows, including the header, of a table whose rows are not all in the document. */
  rowCount?: number
  isStacked?: boolean
  children: ReactNode
}) {
  const className = isStacked ? 'card wide-table stacked' : 'card wide-table'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    <div className={className} role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing="sm" miw={isStacked ? { base: 0, sm: minWidth } : minWidth} aria-rowcount={rowCount}>
        {children}
      </Table>
    </div>
  )
}

import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table that scrolls horizontally if it does not fit, also with the keyboard. */
export function WideTable({
  label,
  minWidth,
  rowCount,
  children,
}: {
  label: string
  minWidth: number
  /** The number of rows, including the header, of a table whose rows are not all in the document. */
  rowCount?: number
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    <div className="card wide-table" role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing="sm" miw={minWidth} aria-rowcount={rowCount}>
        {children}
      </Table>
    </div>
  )
}

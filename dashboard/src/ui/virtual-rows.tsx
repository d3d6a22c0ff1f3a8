import { Table } from '@mantine/core'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react'

/** What a row must put on its outermost element: where it is, and what measures it. */
export interface RowPlace {
  readonly ref: Ref<HTMLDivElement>
  readonly 'data-index': number
  readonly 'aria-rowindex': number
  readonly style: React.CSSProperties
}

/**
 * A table of any length of which only the rows in sight, and a few beyond, are in the document. The page itself scrolls.
 *
 * Rows are measured as they appear; `heightOf` is a first guess, in pixels. `keep` stays in the document wherever the page is.
 */
export function VirtualRows<T>({
  items,
  label,
  head,
  heightOf,
  keyOf,
  keep,
  row,
}: {
  items: readonly T[]
  label: string
  head: ReactNode
  heightOf: (item: T) => number
  keyOf: (item: T) => string
  keep?: number | undefined
  row: (item: T, place: RowPlace, index: number) => ReactNode
}) {
  const { body, virtual, offset } = useInSight<HTMLDivElement, T>(items, { heightOf, keyOf, keep })
  return (
    <div role="table" aria-label={label} aria-rowcount={items.length + 1} className="card">
      <div role="rowgroup">{head}</div>
      <div role="rowgroup" ref={body} className="rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) =>
          row(
            items[index] as T,
            {
              ref: virtual.measureElement,
              'data-index': index,
              'aria-rowindex': index + 2,
              style: { position: 'absolute', insetInline: 0, top: start - offset },
            },
            index,
          ),
        )}
      </div>
    </div>
  )
}

/** Cards below one another, of which only those in sight, and a few beyond, are in the document. */
export function VirtualList<T>({
  items,
  label,
  heightOf,
  keyOf,
  gap = 12,
  children,
}: {
  items: readonly T[]
  label: string
  heightOf: (item: T) => number
  keyOf: (item: T) => string
  /** Pixels between two. */
  gap?: number
  children: (item: T, index: number) => ReactNode
}) {
  const { body, virtual, offset } = useInSight<HTMLDivElement, T>(items, { heightOf, keyOf, gap })
  return (
    <div role="list" aria-label={label} className="rows" ref={body} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => (
        <div
          role="listitem"
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={items.length}
          style={{ position: 'absolute', insetInline: 0, top: start - offset }}
        >
          {children(items[index] as T, index)}
        </div>
      ))}
    </div>
  )
}

/** The rows of a `WideTable`, likewise. What is out of sight is a row without cells above and one below, as high as all of it. */
export function VirtualTableRows<T>({
  items,
  keyOf,
  children,
}: {
  items: readonly T[]
  keyOf: (item: T, index: number) => string
  /** The cells of a row. */
  children: (item: T) => ReactNode
}) {
  const { body, virtual, offset } = useInSight<HTMLTableSectionElement, T>(items, {
    heightOf: () => tableRowHeight,
    keyOf,
  })
  const rows = virtual.getVirtualItems()
  const above = (rows[0]?.start ?? offset) - offset
  const below = virtual.getTotalSize() - ((rows.at(-1)?.end ?? offset) - offset)
  return (
    <Table.Tbody ref={body}>
      {above > 0 && <tr style={{ height: above }} />}
      {rows.map(({ index, key }) => (
        <Table.Tr key={key} ref={virtual.measureElement} data-index={index} aria-rowindex={index + 2}>
          {children(items[index] as T)}
        </Table.Tr>
      ))}
      {below > 0 && <tr style={{ height: below }} />}
    </Table.Tbody>
  )
}

const tableRowHeight = 56

/** Which items are in sight as the page itself scrolls, and where they are below its top. */
function useInSight<E extends Element, T>(
  items: readonly T[],
  {
    heightOf,
    keyOf,
    keep,
    gap = 0,
  }: {
    heightOf: (item: T) => number
    keyOf: (item: T, index: number) => string
    keep?: number | undefined
    gap?: number
  },
) {
  const body = useRef<E>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(top - offset) > 1) setOffset(top)
  })
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => heightOf(items[index] as T),
    getItemKey: (index) => keyOf(items[index] as T, index),
    overscan: 6,
    gap,
    scrollMargin: offset,
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range)
      return keep === undefined || keep < 0 || inSight.includes(keep)
        ? inSight
        : [...inSight, keep].sort((a, b) => a - b)
    },
  })
  return { body, virtual, offset }
}

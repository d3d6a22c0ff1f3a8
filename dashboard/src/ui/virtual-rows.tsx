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
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(top - offset) > 1) setOffset(top)
  })
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => heightOf(items[index] as T),
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: 6,
    scrollMargin: offset,
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range)
      return keep === undefined || keep < 0 || inSight.includes(keep)
        ? inSight
        : [...inSight, keep].sort((a, b) => a - b)
    },
  })
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

import { Table } from '@mantine/core'
import { defaultRangeExtractor, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The properties that a row must set on its outermost element: its position, and the ref that measures it. */
export interface RowPlace {
  readonly ref: Ref<HTMLDivElement>
  readonly 'data-index': number
  readonly 'aria-rowindex': number
  readonly style: React.CSSProperties
}

/**
 * A table of any length. Of a long table, only the visible rows and a few beyond them are in the document. The page itself scrolls.
 *
 * Rows are measured when they appear; `heightOf` is a first estimate, in pixels. `keep`: a row that always stays in the document. `reveal`: a row
 * that is scrolled into view, and gets the focus, once it is there.
 */
export function VirtualRows<T>({
  items,
  label,
  head,
  heightOf,
  keyOf,
  keep,
  reveal,
  row,
}: {
  items: readonly T[]
  label: string
  head: ReactNode
  heightOf: (item: T) => number
  keyOf: (item: T) => string
  keep?: number | undefined
  reveal?: number | undefined
  row: (item: T, place: RowPlace, index: number) => ReactNode
}) {
  const { body, virtual, offset } = useInSight<HTMLDivElement, T>(items, { heightOf, keyOf, keep })
  useRevealed(reveal, { body, virtual, key: reveal === undefined ? undefined : items[reveal] && keyOf(items[reveal]) })
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

/** Cards in a column. Of a long column, only the visible cards and a few beyond them are in the document. */
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
  /** Pixels between two cards. */
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

/** The rows of a `WideTable`, in the same way. An empty row above and one below have the height of the rows that are out of view. */
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

/** Lists of up to this many items are entirely in the document, so that the browser's own search finds every item. */
const wholeLength = 50

/** The items that are visible while the page scrolls, and their positions. */
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
    overscan: items.length <= wholeLength ? wholeLength : 6,
    gap,
    scrollMargin: offset,
    // The library rounds heights, and rows of 69.3 px that are 69 px apart cover each other's borders.
    measureElement: (element, entry) => entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height,
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range)
      return keep === undefined || keep < 0 || inSight.includes(keep)
        ? inSight
        : [...inSight, keep].sort((a, b) => a - b)
    },
  })
  useSamePlace(items, keyOf, { virtual, offset })
  return { body, virtual, offset }
}

/** Scrolls a row into view and focuses it, once for each row: later the person may be elsewhere. */
function useRevealed<E extends Element>(
  index: number | undefined,
  { body, virtual, key }: { body: RefObject<E | null>; virtual: Virtualizer<Window, E>; key: string | undefined },
): void {
  const revealed = useRef<string>(undefined)
  useEffect(() => {
    if (index === undefined || key === undefined || revealed.current === key) return
    revealed.current = key
    virtual.scrollToIndex(index, { align: 'center' })
    // The row is in the document once the list has scrolled.
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }),
      ),
    )
    return () => cancelAnimationFrame(frame)
  }, [index, key, body, virtual])
}

/** Keeps the visible rows in place when rows are added or removed above them, unless the beginning of the list is in view. */
function useSamePlace<T, E extends Element>(
  items: readonly T[],
  keyOf: (item: T, index: number) => string,
  { virtual, offset }: { virtual: Virtualizer<Window, E>; offset: number },
): void {
  const top = useRef<{ readonly key: string; readonly start: number }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that are measured, or moved by the person, are not followed
  useLayoutEffect(() => {
    const was = top.current
    if (was === undefined || window.scrollY <= offset) return
    const index = items.findIndex((item, i) => keyOf(item, i) === was.key)
    const start = virtual.measurementsCache[index]?.start
    if (start !== undefined && start !== was.start) window.scrollBy(0, start - was.start)
  }, [items])
  useLayoutEffect(() => {
    const first = virtual.getVirtualItems().find(({ end }) => end > window.scrollY)
    top.current = first && { key: String(first.key), start: first.start }
  })
}

import { Button, Stack } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from './feedback.tsx'

/** A list that is read page by page, newest first: the entries so far, or `empty`; and a button for older ones. */
export function PagedList<T>({
  of,
  empty,
  children,
}: {
  of: UseInfiniteQueryResult<InfiniteData<{ readonly data: readonly T[] }>>
  empty: ReactNode
  children: (items: readonly T[]) => ReactNode
}) {
  return (
    <>
      <Loaded of={of}>
        {({ pages }) => {
          const items = pages.flatMap(({ data }) => data)
          return items.length === 0 ? empty : children(items)
        }}
      </Loaded>
      {of.hasNextPage && (
        <Stack align="center">
          <Button variant="default" loading={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
            Show older ones
          </Button>
        </Stack>
      )}
    </>
  )
}

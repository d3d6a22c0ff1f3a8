import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** Fields that filter and sort a list. The rarer ones appear on request, and while one of them is used. */
export function FilterBar<Search extends { readonly [name in keyof Search]?: string | undefined }>({
  children,
  more,
  rarer,
  search,
  onChange,
}: {
  children: ReactNode
  /** The rarer fields. */
  more: ReactNode
  /** The members of `search` that the rarer fields set. When the fields are hidden, these are cleared, so that no hidden field filters the list. */
  rarer: readonly (keyof Search & string)[]
  search: Search
  onChange: (change: Search) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const isMoreUsed = rarer.some((name) => search[name] !== undefined)
  const isShown = isOpen || isMoreUsed
  return (
    <>
      <Group gap="sm">
        {children}
        <Button
          variant="default"
          aria-expanded={isShown}
          onClick={() => {
            setOpen(!isShown)
            if (isMoreUsed) onChange(Object.fromEntries(rarer.map((name) => [name, ''])) as Search)
          }}
        >
          {isShown ? 'Fewer filters' : 'More filters'}
        </Button>
      </Group>
      {isShown && <Group gap="sm">{more}</Group>}
    </>
  )
}

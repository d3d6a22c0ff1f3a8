import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { startTransition, useEffect, useRef, useState } from 'react'
import { Icon } from './icons.tsx'
import { useShortcut, useSingleKeys } from './use-shortcut.ts'

/**
 * A field that filters a list during typing. `/` focuses it, and Escape clears it. The text appears immediately, and `onChange` follows when the
 * page has time.
 */
export function FilterBox({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (text: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    // Changed from outside: by back and forward, or by a button that shows all.
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const tell = (next: string): void => {
    setText(next)
    told.current = next
    startTransition(() => onChange(next))
  }
  const [hasShortcut] = useSingleKeys()
  useShortcut('/', () => input.current?.focus())
  return (
    <TextInput
      ref={input}
      aria-label={label}
      placeholder={label}
      value={text}
      flex="1 1 240px"
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        text !== '' ? (
          <CloseButton size="sm" aria-label="Clear the filter" onClick={() => tell('')} />
        ) : hasShortcut ? (
          <Kbd size="xs" aria-hidden="true" className="wide-only">
            /
          </Kbd>
        ) : undefined
      }
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => tell(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') tell('')
      }}
    />
  )
}

import { Button, Popover, Text } from '@mantine/core'
import { useState } from 'react'

/** A small button that explains a word. Escape, or a click elsewhere, closes the explanation and nothing else. */
export function HelpTip({ about, children }: { about: string; children: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover width={300} position="bottom-start" shadow="md" withArrow opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={`Help: ${about}`}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return
            event.stopPropagation()
            setOpen(false)
          }}
        >
          ? {about}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">{children}</Text>
      </Popover.Dropdown>
    </Popover>
  )
}

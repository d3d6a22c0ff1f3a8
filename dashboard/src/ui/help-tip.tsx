import { Button, Popover, Text } from '@mantine/core'

/** A small button that explains a word. Escape, or a click elsewhere, closes the explanation. */
export function HelpTip({ about, children }: { about: string; children: string }) {
  return (
    <Popover width={300} position="bottom-start" shadow="md" withArrow>
      <Popover.Target>
        <Button variant="subtle" size="compact-xs" aria-label={`Help: ${about}`}>
          ? {about}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">{children}</Text>
      </Popover.Dropdown>
    </Popover>
  )
}

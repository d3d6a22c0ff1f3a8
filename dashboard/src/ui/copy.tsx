import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

/** A button that copies a text and confirms it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const clipboard = useClipboard({ timeout: 2_000 })
  const label = clipboard.copied ? 'Copied' : `Copy ${what}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={clipboard.copied ? 'green' : 'gray'}
        aria-label={label}
        onClick={() => clipboard.copy(text)}
      >
        <Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A labelled button that copies a list, one entry per line. */
export function CopyListButton({ items, children }: { items: readonly string[]; children: ReactNode }) {
  const clipboard = useClipboard({ timeout: 2_000 })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />}
      onClick={() => clipboard.copy(items.join('\n'))}
    >
      {clipboard.copied ? 'Copied' : children}
    </Button>
  )
}

/** A copy button that is visible while its row is hovered or has the focus. It has no tooltip of its own, because lists have thousands. */
export function CopyOnHover({ text, what }: { text: string; what: string }) {
  const { copied, copy } = useClipboard({ timeout: 2_000 })
  const label = copied ? 'Copied' : `Copy ${what}`
  return (
    <button type="button" className="copy-on-hover" aria-label={label} onClick={() => copy(text)}>
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </button>
  )
}

/** A text with a copy button. */
export function CopyText({ text, what }: { text: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="center" className="copy-text">
      <code className="mono">{text}</code>
      <CopyButton text={text} what={what} />
    </Group>
  )
}

/** A file or a command with a copy button. */
export function CopyBlock({ text, what }: { text: string; what: string }) {
  return (
    <Group align="flex-start" wrap="nowrap" gap={4}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
      <pre className="mono code-block" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} what={what} />
    </Group>
  )
}

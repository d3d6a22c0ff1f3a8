import { CloseButton, Group, Paper, Portal, Stack, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { Bell } from '../util/bell.ts'
import { Names } from './name.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly about: string
  readonly shownAtMs: number
}

const shownForMs = 6_000
/** A toast that was shown for less than this may confirm the action that led to the next page. */
const readMs = 2_000
let toasts: readonly Toast[] = []
let lastId = 0
const changed = new Bell()

function set(next: readonly Toast[]): void {
  toasts = next
  changed.tell()
}

/**
 * Confirms briefly that an action succeeded. Failures are not shown here but where they happened.
 *
 * It replaces the toast about the same object. A phone has room for one toast only.
 */
export function toast(text: string, about = text): void {
  const id = ++lastId
  const others = window.matchMedia('(width < 48em)').matches ? [] : toasts.filter((one) => one.about !== about)
  set([...others.slice(-2), { id, text, about, shownAtMs: performance.now() }])
  setTimeout(() => close(id), shownForMs)
}

function close(id: number): void {
  set(toasts.filter((one) => one.id !== id))
}

/** On another page, closes the toasts that have been read. */
export function closeReadToasts(): void {
  set(toasts.filter(({ shownAtMs }) => performance.now() - shownAtMs < readMs))
}

/** Where toasts appear. Screen readers announce them. */
export function ToastHost() {
  const shown = useSyncExternalStore(changed.listen, () => toasts)
  return (
    <Portal>
      <Stack className="toasts" gap="xs" role="status" aria-live="polite">
        {shown.map(({ id, text }) => (
          <Paper key={id} withBorder shadow="md" p="sm" radius="md">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">
                <Names>{text}</Names>
              </Text>
              <CloseButton size="sm" aria-label="Close this note" onClick={() => close(id)} />
            </Group>
          </Paper>
        ))}
      </Stack>
    </Portal>
  )
}

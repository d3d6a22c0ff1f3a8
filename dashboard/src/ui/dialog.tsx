import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { shownName } from '../util/shown-name.ts'
import { Explained, Failure } from './feedback.tsx'
import { Name, Names } from './name.tsx'

/** A dialog over the page. Escape also closes it, and the focus returns to where it was. Its heading is not a landmark of the page. */
export function Dialog({
  title,
  size = 'md',
  hasFields = false,
  isBusy = false,
  onClose,
  children,
}: {
  title: string
  size?: 'md' | 'lg'
  /** The dialog has input that would be lost, so a tap outside does not close it. */
  hasFields?: boolean
  /** The requested action is running and cannot be cancelled, so the dialog stays open until it has ended. */
  isBusy?: boolean
  /** Without it, the dialog stays open until its action has ended. */
  onClose?: () => void
  children: ReactNode
}) {
  useFocusReturn()
  const isTop = useIsTop()
  return (
    <Modal.Root
      opened
      onClose={() => {
        if (isTop() && !isBusy) onClose?.()
      }}
      closeOnEscape={onClose !== undefined}
      closeOnClickOutside={!hasFields}
      size={size}
      centered
    >
      <Modal.Overlay />
      <Modal.Content radius="md" className="dialog">
        <Group justify="space-between" wrap="nowrap" px="md" pt="md" className="dialog-head">
          <Modal.Title className="dialog-title">
            <Names>{title}</Names>
          </Modal.Title>
          {onClose && <Modal.CloseButton aria-label="Close" disabled={isBusy} />}
        </Group>
        <Modal.Body pt="sm">
          {/* It covers what the page explains. */}
          <Explained value={explainsNothing}>{children}</Explained>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const explainsNothing = (): boolean => false

/**
 * The buttons of a dialog, with the main one last. They stay in view while the dialog scrolls. On a phone, they fill the dialog: side by side if
 * there is room, or with the main one on top.
 */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className="dialog-buttons">
      {children}
    </Group>
  )
}

/** The open dialogs; the topmost one is last. */
const open: object[] = []

/** Whether this dialog is the topmost one. Escape reaches all of them. */
function useIsTop(): () => boolean {
  const [self] = useState({})
  useEffect(() => {
    open.push(self)
    return () => void open.splice(open.indexOf(self), 1)
  }, [self])
  return () => open.at(-1) === self
}

/** Mantine returns the focus when `opened` changes. Here, a closed dialog is not rendered any longer. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // When the dialog has been removed from the document, unless another element has taken the focus.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        // A disabled button takes no focus: what it was for is done.
        const isThere = before?.isConnected && !before.matches(':disabled')
        const target = isThere ? before : document.querySelector('main')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/**
 * Asks before something is lost: names the object and the effect. With `typed`, the person types that word first; a name may also be typed with
 * A-labels.
 */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  typed,
  error,
  isBusy = false,
  onConfirm,
  onClose,
}: {
  opened: boolean
  title: string
  children: ReactNode
  action: string
  typed?: string
  error?: unknown
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const isReady = typed === undefined || shownName(text.trim().toLowerCase()) === shownName(typed.toLowerCase())
  const close = (): void => {
    setText('')
    onClose()
  }
  if (!opened) return null
  return (
    <Dialog onClose={close} title={title} hasFields={typed !== undefined} isBusy={isBusy}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) onConfirm()
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <Name>{typed}</Name> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
          )}
          <Failure error={error} />
          <DialogButtons>
            <Button variant="default" disabled={isBusy} onClick={close}>
              Cancel
            </Button>
            <Button color="red.8" type="submit" disabled={!isReady} loading={isBusy}>
              <Names>{action}</Names>
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

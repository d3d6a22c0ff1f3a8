import { Button, type ButtonProps } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ButtonHTMLAttributes, useRef } from 'react'

type Props = ButtonProps & Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps>

/**
 * The button for the main action of a page or a dialog. Ctrl+Enter, or ⌘Enter, presses it from anywhere in the page or the dialog, except from a
 * form that it is not part of.
 */
export function MainButton(props: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const press = (event: KeyboardEvent): void => {
    if (!button.current || !isMeant(button.current)) return
    // The focused element would also act: a button when Enter is pressed on it, and a form when Enter is pressed in one of its fields.
    event.preventDefault()
    button.current.click()
  }
  useHotkeys([['mod+Enter', press, { preventDefault: false }]], [])
  return <Button {...props} ref={button} title="Ctrl+Enter" aria-keyshortcuts="Control+Enter Meta+Enter" />
}

function isMeant(button: HTMLElement): boolean {
  const topDialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
  const place = document.activeElement?.closest('form, [role=dialog]') ?? topDialog
  return place?.contains(button) ?? true
}

import { Kbd } from '@mantine/core'
import { useHotkeys, useWindowEvent } from '@mantine/hooks'
import { type ComponentType, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Icon } from '../ui/icons.tsx'

type Palette = ComponentType<{ onClose: () => void }>

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform)

/** The button that opens the palette. Ctrl+K, or ⌘K, does the same from everywhere, except over another dialog. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false)
  // Most page views do not need the palette. If it cannot be loaded, the page must still work.
  const [Palette, setPalette] = useState<Palette>()
  const [error, setError] = useState<unknown>()
  const load = (): void => {
    if (Palette !== undefined) return
    setError(undefined)
    import('./palette.tsx').then(({ Palette: loaded }) => setPalette(() => loaded), setError)
  }
  const open = (): void => {
    load()
    setOpen(true)
  }
  const close = (): void => setOpen(false)
  const toggle = (): void => {
    if (isOpen) close()
    else if (!document.querySelector('[role=dialog]')) open()
  }
  useHotkeys([['mod+K', toggle]], [])
  // Loads the palette before the K key is pressed.
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Control' || key === 'Meta') load()
  })
  return (
    <>
      <button
        type="button"
        className="search-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        onPointerEnter={load}
        onFocus={load}
      >
        <Icon name="search" size={16} />
        <span className="search-words">Search everything</span>
        <Kbd size="xs" className="wide-only" aria-hidden="true">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      </button>
      {isOpen && Palette !== undefined && <Palette onClose={close} />}
      {isOpen && Palette === undefined && error !== undefined && (
        <Dialog title="Search" onClose={close}>
          <Failure error={error} title="The search could not be loaded" retry={load} />
        </Dialog>
      )}
    </>
  )
}

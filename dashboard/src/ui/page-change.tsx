import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { titleChanged } from './page.tsx'
import { closeReadToasts } from './toasts.tsx'

/**
 * What a browser does when it loads a page, and a single-page application has to do itself: a screen reader announces the title of the new page,
 * and Tab continues from its beginning. If the focus is already in the page, such as on the tabs of a zone, it stays. Toasts about the previous page
 * disappear.
 */
export function PageChange() {
  const router = useRouter()
  const [hasMoved, setMoved] = useState(false)
  const title = useSyncExternalStore(titleChanged.listen, () => document.title)
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) closeReadToasts()
      }),
    [router],
  )
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        setMoved(true)
        const main = document.querySelector('main')
        if (main?.contains(document.activeElement) || document.querySelector('[role=dialog]')) return
        main?.focus({ preventScroll: true })
      }),
    [router],
  )
  return <VisuallyHidden role="status">{hasMoved ? title : ''}</VisuallyHidden>
}

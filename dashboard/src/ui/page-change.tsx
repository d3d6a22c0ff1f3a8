import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { titleChanged } from './page.tsx'

/**
 * What a browser does itself when it loads a page, and a single-page application has to: whoever comes to another page hears its title,
 * and Tab goes on from its beginning. A focus that is in the page already, such as on the tabs of a zone, stays.
 */
export function PageChange() {
  const router = useRouter()
  const [hasMoved, setMoved] = useState(false)
  const title = useSyncExternalStore(titleChanged.listen, () => document.title)
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

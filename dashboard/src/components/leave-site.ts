import { useWindowEvent } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { countEdits } from './use-edits.ts'

let isMeant = false
/** Whether a file of this build failed to load, because the server may have a newer build by now. */
let isOutdated = false

/** Leaves for the card page, from which the person returns. Edits are still in the tab then, so no question is asked. */
export function goToPay(url: string): void {
  isMeant = true
  location.assign(url)
}

/**
 * Unsaved edits are lost when the tab is closed, so the browser asks first. If the file of a page fails to load, the router reloads the page,
 * and the edits are still there afterwards.
 */
export function useLeaveQuestion(): void {
  const router = useRouter()
  useWindowEvent('vite:preloadError', () => {
    isOutdated = true
  })
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      const isRenewed = isOutdated && router.state.isLoading
      if (countEdits() > 0 && !isMeant && !isRenewed) event.preventDefault()
      isMeant = false
    }
    // The router reloads during rendering, where React does not allow calls of its own handlers.
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [router])
}

import { useWindowEvent } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { countEdits } from './use-edits.ts'

let isMeant = false
/** Has a file of this build not come? A newer one may be served by now. */
let isOutdated = false

/** To where a card is charged, and back again: edits are still in the tab then, so nobody is asked. */
export function goToPay(url: string): void {
  isMeant = true
  location.assign(url)
}

/**
 * Edits that are not saved go with the tab: while there are any, the browser asks before it is closed. A page whose file has not come is
 * loaded anew by the router, on the way to it: they are there again then.
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
    // The router reloads amid rendering, where React lets none of its own handlers be called.
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [router])
}

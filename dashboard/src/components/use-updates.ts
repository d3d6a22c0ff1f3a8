import { useEffect } from 'react'
import { followUpdates } from '../api/updates.ts'

/** Refreshes lists when something changes elsewhere, as long as the account is signed in. */
export function useUpdates(accountId: string | undefined): void {
  useEffect(() => {
    if (accountId === undefined) return
    const left = new AbortController()
    followUpdates(accountId, left.signal)
    return () => left.abort()
  }, [accountId])
}

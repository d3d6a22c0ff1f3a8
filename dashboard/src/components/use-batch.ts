import { useState, useSyncExternalStore } from 'react'
import { failedWith, isPassing } from '../api/failure.ts'
import type { Attempt, Batch, BatchView } from '../util/batch.ts'
import { sayFailure } from '../util/say-failure.ts'

/** The outcome of a request: whether it may be retried, and when. */
export async function attempted(request: () => Promise<unknown>): Promise<Attempt> {
  try {
    await request()
    return { kind: 'done' }
  } catch (error) {
    const { message, details } = sayFailure(error)
    // Without a session, all remaining requests would be refused. The page asks the person to sign in, and the batch then continues.
    if (!isPassing(error) && !failedWith(error, 'signed_out')) return { kind: 'failed', message: details[0] ?? message }
    return { kind: 'passing', message, waitS: failedWith(error, 'rate_limited') ? error.retryAfterS : undefined }
  }
}

/** The batch that is in progress on a page, and its state. */
export function useBatch<T>(): {
  readonly batch: Batch<T> | undefined
  readonly view: BatchView | undefined
  readonly begin: (batch: Batch<T>) => void
  readonly forget: () => void
} {
  const [batch, setBatch] = useState<Batch<T>>()
  const view = useSyncExternalStore(batch?.listen ?? subscribeToNothing, batch?.view ?? nothing)
  return {
    batch,
    view,
    begin: (next) => {
      setBatch(next)
      void next.start()
    },
    forget: () => setBatch(undefined),
  }
}

const subscribeToNothing = () => () => undefined
const nothing = () => undefined

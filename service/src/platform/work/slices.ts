import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time, in milliseconds, that such work blocks the event loop at once. */
export const sliceMs = 5

/**
 * Resolves once timers and other connections have had their turn. One immediate is not enough: if a connection's callback sets it, it still runs in
 * the same iteration of the event loop.
 */
export async function afterOthers(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

/** Runs long work that pauses between its steps: after some milliseconds the rest of the event loop gets a turn. */
export async function inSlices<T>(work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const endMs = performance.now() + sliceMs
    do {
      const { done, value } = work.next()
      if (done) return value
    } while (performance.now() < endMs)
    await nextTurn()
  }
}

/** Runs such work without pauses. For small inputs only. */
export function withoutPauses<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

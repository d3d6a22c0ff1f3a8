import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long, in milliseconds, such work holds everybody else up at a time. */
export const sliceMs = 5

/** Carries out long work that pauses between its steps: after some milliseconds whatever else waits has its turn. */
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

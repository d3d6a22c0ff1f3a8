import { setTimeout as delay } from 'node:timers/promises'

/** The numbers of so many turns a second, each at its own moment, however long those before it took: one that is late comes at once. */
export async function* evenly(rate: number, seconds: number): AsyncGenerator<number> {
  const startedMs = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    const waitMs = startedMs + (n * 1_000) / rate - performance.now()
    if (waitMs > 0) await delay(waitMs)
    yield n
  }
}

import { setTimeout as delay } from 'node:timers/promises'

/**
 * Generous: a machine that runs ten other things still finishes in time, and a step that failed by chance is retried within a minute. A result is
 * seen immediately.
 */
export const patienceMs = 120_000

/** The next check follows after a tenth of the time that was waited so far, within these bounds. */
const shortestPauseMs = 10
const longestPauseMs = 250

/** Checks repeatedly until there is a result, and returns it. After `timeoutMs`, throws an error that names what was waited for. */
export async function eventually<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined | false>,
  timeoutMs = patienceMs,
): Promise<T> {
  const startedMs = performance.now()
  let lastError: unknown
  for (;;) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found
      lastError = undefined
    } catch (error) {
      lastError = error
    }
    const waitedMs = performance.now() - startedMs
    if (waitedMs > timeoutMs) {
      const wanted = typeof what === 'string' ? what : what()
      throw new Error(`Within ${timeoutMs} ms it did not happen that ${wanted}.`, { cause: lastError })
    }
    await delay(Math.min(Math.max(waitedMs / 10, shortestPauseMs), longestPauseMs))
  }
}

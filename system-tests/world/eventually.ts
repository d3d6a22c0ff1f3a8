import { setTimeout as delay } from 'node:timers/promises'

/**
 * Generous: a machine that runs ten other things still gets there, and what failed by chance is tried again within a minute. Whatever comes
 * is seen at once.
 */
export const patienceMs = 120_000

/** The next look comes after a tenth of what was waited already, within these bounds. */
const shortestPauseMs = 10
const longestPauseMs = 250

/** Looks again and again until there is something, and returns it. Throws, saying what was waited for, after `timeoutMs`. */
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

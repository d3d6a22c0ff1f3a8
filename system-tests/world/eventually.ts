import { setTimeout as delay } from 'node:timers/promises'

/** Looks are 10 ms apart at first and a quarter of a second later, so that a long wait stays below a key's 300 a minute. */
const firstPauseMs = 10
const longestPauseMs = 250

/** Looks again and again until there is something, and returns it. Throws, saying what was waited for, after `timeoutMs`. */
export async function eventually<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined | false>,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  let lastError: unknown
  for (let pauseMs = firstPauseMs; Date.now() < deadline; pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      lastError = error
    }
    await delay(pauseMs)
  }
  const wanted = typeof what === 'string' ? what : what()
  throw new Error(`Within ${timeoutMs} ms it did not happen that ${wanted}.`, { cause: lastError })
}

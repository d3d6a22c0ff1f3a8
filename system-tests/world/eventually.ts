import { setTimeout as delay } from 'node:timers/promises'

/** Looks again and again until there is something, and returns it. Throws, saying what was waited for, after `timeoutMs`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  let lastError: unknown
  while (Date.now() < deadline) {
    try {
      const found = await look()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      lastError = error
    }
    await delay(10)
  }
  throw new Error(`Within ${timeoutMs} ms it did not happen that ${what}.`, { cause: lastError })
}

import { setTimeout as wait } from 'node:timers/promises'

/** Resolves to what `look` finds, once it finds something; fails when it does not in time. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 60_000,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadlineMs) throw new Error(`not in time: ${what}`)
    await wait(5)
  }
}

/** Waits until `condition` returns a truthy value, and returns it. Fails after `deadlineMs`, which is enough even on a busy machine. */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = 60_000,
): Promise<NonNullable<T>> {
  const giveUpAtMs = Date.now() + deadlineMs
  for (;;) {
    const result = await condition()
    if (result) return result
    if (Date.now() > giveUpAtMs) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Waits until `condition` returns something truthy, and returns it. Gives up after `deadlineMs`, which is long enough even for a busy machine. */
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
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

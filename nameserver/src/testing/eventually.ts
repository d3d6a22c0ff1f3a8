/** Waits until `condition` returns something true, and returns it; gives up after `deadlineMs`, which a busy machine keeps to, too. */
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

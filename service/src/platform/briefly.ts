/**
 * Shares one answer among all who ask while it is worked out or within `keptMs` after it is there: however often somebody asks, the work is
 * done only so often. A failure is shared, too, and not kept.
 *
 * @param keptMs May depend on how long the work took.
 */
export function briefly<T>(work: () => Promise<T>, keptMs: (tookMs: number) => number): () => Promise<T> {
  let current: { readonly answer: Promise<T>; untilMs: number } | undefined
  return () => {
    if (current !== undefined && performance.now() < current.untilMs) return current.answer
    const beganMs = performance.now()
    const asked = { answer: work(), untilMs: Number.POSITIVE_INFINITY }
    current = asked
    asked.answer.then(
      () => {
        const nowMs = performance.now()
        asked.untilMs = nowMs + keptMs(nowMs - beganMs)
      },
      () => {
        asked.untilMs = 0
      },
    )
    return asked.answer
  }
}

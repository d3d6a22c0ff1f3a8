/**
 * Shares one result among all callers that ask while it is computed or within `keptMs` afterwards, so frequent calls do not repeat the work.
 * A failure is shared with the callers that are waiting, but not kept.
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

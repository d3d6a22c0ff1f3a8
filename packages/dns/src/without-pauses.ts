/** Runs work that supports pauses without pausing. */
export function withoutPauses<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Does at once what can be done with pauses. */
export function withoutPauses<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

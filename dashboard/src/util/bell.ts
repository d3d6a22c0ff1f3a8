/** An event without data, and its listeners. */
export class Bell {
  readonly #listeners = new Set<() => void>()

  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Returns a function that removes the listener. It can be passed on without binding. */
  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

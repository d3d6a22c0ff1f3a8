/** Something that happens, and those who wait to hear of it. */
class Bell {
  readonly #listeners = new Set<() => void>()

  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Returns what ends the listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** The service has said that nobody is signed in: pages stay as they are, and the person signs in over them. */
export const sessionLost = new Bell()

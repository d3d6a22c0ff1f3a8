/**
 * Tells whether a connection was made to a host while a request to it was under way.
 *
 * If none was, the request was written to a kept connection. A host is remembered for as long as there is a request to it.
 */
export class NewConnections {
  readonly #hosts = new Map<string, { requests: number; made: number }>()

  /** A connection has come about. */
  made(host: string): void {
    const present = this.#hosts.get(host)
    if (present) present.made += 1
  }

  /** Does the work of a request, which may ask whether a connection has been made since it last began. */
  async during<T>(host: string, work: (sinceNow: () => () => boolean) => Promise<T>): Promise<T> {
    const present = this.#hosts.get(host) ?? { requests: 0, made: 0 }
    this.#hosts.set(host, present)
    present.requests += 1
    try {
      return await work(() => {
        const before = present.made
        return () => present.made > before
      })
    } finally {
      present.requests -= 1
      if (present.requests === 0) this.#hosts.delete(host)
    }
  }

  get size(): number {
    return this.#hosts.size
  }
}

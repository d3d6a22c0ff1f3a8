import { eventually } from './eventually.ts'

/** One request that the sandbox receiver got. */
export interface ReceivedRequest {
  readonly number: number
  readonly receiver: string
  readonly at: string
  readonly verified: boolean
  readonly doubt: string | null
  readonly repeated: boolean
  /** The status of the response; null if there was to be no response. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The envelope of a webhook (specification, "Event envelope"). */
export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly created_at: string
  // biome-ignore lint/suspicious/noExplicitAny: its shape depends on the type
  readonly data: any
}

/** The requests that the sandbox receiver got, read over HTTP like a customer's program. */
export class ReceiverLog {
  readonly #url: string
  readonly #receiver: string

  /** @param receiver - one of the receiver's names (`/hooks/<name>`), if others use other names; omitted: all */
  constructor(url: string, receiver = '') {
    this.#url = url
    this.#receiver = receiver
  }

  /**
   * Returns the requests that the receiver still has. It drops old ones.
   *
   * @param after - the number of the last request that is already known
   */
  async requests(after = 0): Promise<ReceivedRequest[]> {
    const answer = await fetch(`${this.#url}log?after=${after}${this.#receiver && `&receiver=${this.#receiver}`}`)
    return ((await answer.json()) as { data: ReceivedRequest[] }).data
  }

  async events(): Promise<ReceivedEvent[]> {
    return (await this.requests()).map(({ body }) => JSON.parse(body) as ReceivedEvent)
  }

  /** Waits for a request whose event satisfies the condition. */
  async waitFor(what: string, wanted: (event: ReceivedEvent) => boolean): Promise<ReceivedRequest> {
    return eventually(`the receiver gets ${what}`, async () =>
      (await this.requests()).find(({ body }) => wanted(JSON.parse(body))),
    )
  }

  /** Sets how the receiver responds from now on: for one of its names, or for those whose requests are read. */
  async behave(behaviour: Readonly<Record<string, unknown>>, receiver = this.#receiver): Promise<void> {
    await fetch(`${this.#url}behaviour${receiver && `?receiver=${receiver}`}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behaviour),
    })
  }
}

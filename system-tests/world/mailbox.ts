import { eventually } from './eventually.ts'

/** An email as the list shows it. */
export interface ListedMail {
  readonly number: number
  readonly at: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
}

/** One email, as read by the sandbox. */
export interface ReceivedMail extends ListedMail {
  readonly date: string | null
  readonly message_id: string | null
  readonly text: string
  readonly html: string | null
  /** The links of the text and the HTML, in their order. */
  readonly links: readonly string[]
  readonly headers: Readonly<Record<string, readonly string[]>>
}

/** Reads the sandbox mailbox over HTTP, like a person's program. */
export class MailboxReader {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** Lists emails, oldest first: to an address, and from a time on (ISO 8601). */
  async list(query: { to?: string; since?: string } = {}): Promise<ListedMail[]> {
    const answer = await fetch(`${this.#url}mails?${new URLSearchParams(query)}`)
    return ((await answer.json()) as { data: ListedMail[] }).data
  }

  async read({ number }: ListedMail): Promise<ReceivedMail> {
    return (await (await fetch(`${this.#url}mails/${number}`)).json()) as ReceivedMail
  }

  /** Waits for an email to an address that satisfies the condition, and reads the newest one that does. */
  async waitFor(
    to: string,
    what: string,
    wanted: (mail: ListedMail) => boolean = () => true,
    query: { since?: string } = {},
  ): Promise<ReceivedMail> {
    return await eventually(`${to} gets ${what}`, async () => {
      const found = (await this.list({ to, ...query })).findLast(wanted)
      return found && (await this.read(found))
    })
  }

  /** Sets how the mailbox responds to emails to an address from now on; without an address, to all emails. */
  async behave(behaviour: Readonly<Record<string, unknown>>, to = ''): Promise<void> {
    await fetch(`${this.#url}behaviour?${new URLSearchParams({ to })}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(behaviour),
    })
  }
}

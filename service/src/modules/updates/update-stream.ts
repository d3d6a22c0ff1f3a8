import { Readable } from 'node:stream'
import { updateCommentS, type WireUpdate } from '@zonewright/contract'
import { WaitingHints } from './rules.ts'

/** The reader of a stream. */
export interface Follower {
  readonly accountId: string
  readonly sessionId: string
}

/**
 * One response of server-sent events (HTML, "Server-sent events"): hints as they occur, and a comment line from time to time.
 *
 * Hints wait while the client does not read. A client that has not read one comment line when the next one is due is disconnected.
 */
export class UpdateStream implements Follower {
  readonly accountId: string
  readonly sessionId: string
  readonly body = new Readable({ read: () => undefined })
  readonly #waiting = new WaitingHints()
  readonly #comments: NodeJS.Timeout

  constructor({ accountId, sessionId }: Follower, commentMs = updateCommentS * 1_000) {
    this.accountId = accountId
    this.sessionId = sessionId
    this.#comments = setInterval(() => this.#comment(), commentMs).unref()
    this.body.once('close', () => clearInterval(this.#comments))
    this.body.push(comment)
  }

  /** Sends hints, or keeps them until the client has read the earlier ones. */
  send(hints: Iterable<WireUpdate>): void {
    for (const hint of hints) this.#waiting.add(hint)
    if (this.#waiting.isEmpty || this.body.readableLength > 0) return
    this.body.push(
      this.#waiting
        .take()
        .map((hint) => `data: ${JSON.stringify(hint)}\n\n`)
        .join(''),
    )
  }

  /** Its response has not begun. */
  get #isNotSentYet(): boolean {
    return this.body.readableFlowing === null
  }

  end(): void {
    clearInterval(this.#comments)
    // Output that the client does not read would never end.
    if (!this.#isNotSentYet && this.body.readableLength > 0) this.body.destroy()
    else this.body.push(null)
  }

  #comment(): void {
    if (this.#isNotSentYet) return
    if (this.body.readableLength > 0) this.body.destroy()
    else this.body.push(comment)
  }
}

const comment = ':\n\n'

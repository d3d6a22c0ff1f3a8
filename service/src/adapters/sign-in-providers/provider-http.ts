import { Agent, request } from 'undici'
import { responseText } from '#platform/response-text.ts'

/** The maximum length of a response. Providers send no longer ones. */
const maxAnswerBytes = 256 * 1024
/** Maximum number of sign-ins that query one provider at once. If it hangs, more of them would only wait. */
const maxAtOnce = 20

/** The provider did not respond, or its response was too long or too late. */
export class NoAnswer extends Error {}

/** A request to a provider, within the time limit of a sign-in. */
export type Ask = (
  url: string,
  options: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: unknown
  },
) => Promise<Response>

/** HTTP to one provider, with limited time, size and number of requests, and without redirects. */
export class ProviderHttp {
  readonly #timeoutMs: number
  readonly #agent: Agent
  #running = 0

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    this.#agent = new Agent({
      connections: 10,
      maxHeaderSize: 16 * 1024,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connectTimeout: timeoutMs,
    })
  }

  /** Runs work whose requests share `timeoutMs`. Throws `NoAnswer` if too many runs are in progress. */
  async within<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    if (this.#running >= maxAtOnce) throw new NoAnswer('too many sign-ins ask it at once')
    this.#running++
    const signal = AbortSignal.timeout(this.#timeoutMs)
    try {
      return await work((url, options) => this.#ask(url, options, signal))
    } finally {
      this.#running--
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #ask(url: string, { method, headers, body }: Parameters<Ask>[1], signal: AbortSignal): Promise<Response> {
    try {
      const answer = await request(url, {
        method: method as 'GET',
        dispatcher: this.#agent,
        headers: { ...headers, 'user-agent': 'Zonewright' },
        ...(body instanceof URLSearchParams && { body: body.toString() }),
        signal,
      })
      const text = await responseText(answer.body, maxAnswerBytes)
      const type = answer.headers['content-type']
      return new Response(text === '' ? null : text, {
        status: answer.statusCode,
        headers: typeof type === 'string' ? { 'content-type': type } : {},
      })
    } catch (error) {
      throw error instanceof NoAnswer ? error : new NoAnswer(error instanceof Error ? error.message : String(error))
    }
  }
}

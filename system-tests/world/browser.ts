import { codeAt, fromBase32, periodS } from '@zonewright/service/totp'
import { eventually } from './eventually.ts'

/** A response of the service to a browser. */
export interface PageAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A person at a browser, as far as the service can tell: cookies, and the Origin of the dashboard. */
export class Browser {
  readonly #baseUrl: string
  readonly #cookies = new Map<string, string>()

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** The cookies that the browser would send with its next request. */
  get cookies(): readonly string[] {
    return [...this.#cookies.values()]
  }

  /** The same cookies as the header in which they are sent. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async call(method: string, path: string, body?: unknown): Promise<PageAnswer> {
    const answer = await fetch(new URL(path, this.#baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        origin: this.#baseUrl,
        cookie: this.cookieHeader,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} }
  }
}

/** The code that an authenticator shows now, or this many periods from now. */
export function authenticatorCode(secretBase32: string, periodsAway = 0): string {
  return codeAt(fromBase32(secretBase32), Math.floor(Date.now() / 1000 / periodS) + periodsAway)
}

const usedCodes = new Set<string>()

/** Waits for a period of the authenticator whose code was not used yet. The service also accepts the previous and the next code. */
export async function freshCode(secretBase32: string): Promise<string> {
  return await eventually(
    'an authenticator shows a new code',
    async () => {
      for (const away of [0, 1]) {
        const code = authenticatorCode(secretBase32, away)
        if (usedCodes.has(secretBase32 + code)) continue
        usedCodes.add(secretBase32 + code)
        return code
      }
      return undefined
    },
    120_000,
  )
}

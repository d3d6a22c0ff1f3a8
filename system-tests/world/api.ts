import { setTimeout as delay } from 'node:timers/promises'

/** A response of the API with its body parsed. */
export interface ApiAnswer<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** One minute, the window of the request limit. Limits per hour are passed in. */
const longestPauseS = 60

/** A customer's program: calls the API with a key, or with several in turn. After a 429, it waits as long as the response says. */
export class Api {
  readonly baseUrl: string
  readonly #keys: readonly string[]
  #calls = 0

  /** A key may make 300 requests a minute. A test that makes more, and must not wait, needs more keys. */
  constructor(baseUrl: string, keys: readonly string[]) {
    this.baseUrl = baseUrl
    this.#keys = keys
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer<T>> {
    const isText = typeof body === 'string'
    const answer = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#keys[this.#calls++ % this.#keys.length]}`,
        ...(body === undefined ? {} : { 'content-type': isText ? 'text/dns' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const pauseS = Number(answer.headers.get('retry-after'))
    if (answer.status === 429 && pauseS <= longestPauseS) {
      await delay(pauseS * 1_000)
      return await this.call(method, path, body, headers)
    }
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as T }
  }

  /** Creates or replaces one rrset, and expects it to be accepted. */
  async put(zone: string, name: string, type: string, records: readonly string[], ttl = 60): Promise<ApiAnswer> {
    const answer = await this.call('PUT', `/zones/${zone}/rrsets/${encodeURIComponent(name)}/${type}`, { ttl, records })
    if (answer.status >= 300) throw new Error(`PUT ${name} ${type}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
}

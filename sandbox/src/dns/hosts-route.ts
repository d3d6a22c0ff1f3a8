import type { IncomingMessage } from 'node:http'
import { type Answer, json, parseJson } from '../web/answer.ts'
import { readBody } from '../web/read-body.ts'

/** Sets the addresses of nameservers over HTTP, for the resolver below the registry: `PUT /hosts/<name>`. */
export class HostsRoute {
  readonly #onHost: (name: string, address: string) => void

  constructor(onHost: (name: string, address: string) => void) {
    this.#onHost = onHost
  }

  /** Undefined: the request is not for this route. */
  async answer(request: IncomingMessage): Promise<Answer | undefined> {
    const { pathname } = new URL(request.url ?? '/', 'http://registry')
    const name = decodeURIComponent(/^\/hosts\/([^/]+)$/.exec(pathname)?.[1] ?? '').toLowerCase()
    if (request.method !== 'PUT' || name === '') return undefined
    const body = parseJson(await readBody(request)) as { address?: unknown } | undefined
    const address = body?.address
    if (typeof address !== 'string' || !/^[\d.]+:\d{1,5}$/.test(address))
      return json(422, { error: 'A host is {"address": "127.0.0.1:5353"}.' })
    this.#onHost(name, address)
    return json(200, { name, address })
  }
}

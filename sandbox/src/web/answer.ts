import { createServer, type IncomingMessage, type Server } from 'node:http'

/** A response to a request for a page or for JSON. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** An HTTP server that sends the response of `route`, without caching. A route that throws closes the connection. */
export function createAnswerServer(route: (request: IncomingMessage) => Promise<Answer>): Server {
  return createServer((request, response) => {
    route(request)
      .then(({ status, type, body, headers }) => {
        const common = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }
        response.writeHead(status, { ...common, ...headers }).end(body)
      })
      .catch(() => response.destroy())
  })
}

/** The value as JSON, indented for a person who reads it in a terminal. */
export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: `${JSON.stringify(value, undefined, 2)}\n` }
}

export function html(body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, type: 'text/html', body, headers }
}

/** A body as JSON; undefined if it is not valid. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

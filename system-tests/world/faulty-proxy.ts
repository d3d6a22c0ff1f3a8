import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { World } from './world.ts'

/**
 * What the proxy does with a request: pass it on, never answer, break the connection before or after the service has done its work, pass it on
 * late, or give a response of its own.
 */
export type Behaviour =
  | 'pass'
  | 'hang'
  | 'reset'
  | 'lose'
  | { readonly afterMs: number }
  | { readonly after: Promise<void> }
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }

/** A reverse proxy in front of the API of a world, which delays or fails requests as a test decides. */
export interface FaultyProxy {
  /** The same world, reached through the proxy. */
  readonly world: World
  /** Decides about each request from now on. */
  behave(rule: (path: string, method: string) => Behaviour): void
}

/** Starts one for the tests of a file. */
export async function faultyProxyForTests(world: World): Promise<FaultyProxy> {
  const { origin } = new URL(world.facts.base_url)
  let rule: (path: string, method: string) => Behaviour = () => 'pass'
  const server = createServer((asked, answer) => {
    const behaviour = rule(asked.url ?? '', asked.method ?? '')
    if (behaviour === 'hang') return
    if (behaviour === 'reset') return void asked.socket.resetAndDestroy()
    if (behaviour === 'pass' || behaviour === 'lose') return passOn(origin, asked, answer, behaviour === 'lose')
    if ('afterMs' in behaviour) return void setTimeout(() => passOn(origin, asked, answer), behaviour.afterMs)
    if ('after' in behaviour) return void behaviour.after.then(() => passOn(origin, asked, answer))
    answer.writeHead(behaviour.status, { 'content-type': 'text/html', ...behaviour.headers }).end(behaviour.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const through = (url: string): string => url.replace(origin, baseUrl)
  return {
    world: {
      ...world,
      facts: {
        ...world.facts,
        base_url: through(world.facts.base_url),
        dashboard_url: through(world.facts.dashboard_url),
      },
    },
    behave: (next) => {
      rule = next
    },
  }
}

/** Browsers name the proxy as their origin; the service expects its own address there. `isLost`: the response does not arrive. */
function passOn(origin: string, asked: IncomingMessage, answer: ServerResponse, isLost = false): void {
  const { host: _, ...headers } = asked.headers
  const passed = request(new URL(asked.url ?? '/', origin), {
    method: asked.method ?? 'GET',
    headers: { ...headers, ...(headers.origin !== undefined && { origin }) },
  })
  passed.on('response', (response) => {
    if (isLost) return void response.resume().on('end', () => asked.socket.resetAndDestroy())
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  answer.on('close', () => passed.destroy())
  asked.pipe(passed)
}

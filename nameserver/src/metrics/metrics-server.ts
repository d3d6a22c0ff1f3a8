import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Endpoint, endpointToText } from '../endpoint.ts'
import type { Log } from '../log.ts'
import { reasonOf, StartupFault, systemCodeOf } from '../startup-fault.ts'
import { expositionOf, expositionType, type Family } from './exposition.ts'

export interface MetricsServer {
  /** The listening address, with the actual port. */
  readonly endpoint: Endpoint
  close(): Promise<void>
}

export interface MetricsPages {
  /** The metrics of `/metrics`, read again for each scrape. */
  readonly families: () => readonly Family[]
  /** What `/healthz` says: 200 or 503. */
  readonly isHealthy: () => boolean
}

const requestMs = 5000

/**
 * The HTTP port for operators: `/metrics` and `/healthz`, for GET and HEAD.
 *
 * @throws StartupFault if the address is not available.
 */
export async function openMetricsServer(endpoint: Endpoint, pages: MetricsPages, log: Log): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    respond(request, response, pages, log)
  })
  server.maxConnections = 100
  try {
    server.listen(endpoint.port, endpoint.host)
    await once(server, 'listening')
  } catch (error) {
    const why = systemCodeOf(error) === 'EADDRINUSE' ? 'the port is taken by another process' : reasonOf(error)
    throw new StartupFault(`--metrics ${endpointToText(endpoint)}: ${why}`)
  }
  server.on('error', (error) => log.error('metrics listener', { reason: error.message }))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: { host: endpoint.host, port },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function respond(request: IncomingMessage, response: ServerResponse, pages: MetricsPages, log: Log): void {
  const [path] = (request.url ?? '').split('?')
  try {
    if (path !== '/metrics' && path !== '/healthz') send(response, 404, 'There are /metrics and /healthz.\n')
    else if (request.method !== 'GET' && request.method !== 'HEAD') send(response, 405, 'Use GET.\n')
    else if (path === '/metrics') send(response, 200, expositionOf(pages.families()), expositionType)
    else if (pages.isHealthy()) send(response, 200, 'ok\n')
    else send(response, 503, 'unhealthy\n')
  } catch (error) {
    log.error('metrics page', { path, reason: reasonOf(error) })
    send(response, 500, 'See the log.\n')
  }
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  response.writeHead(status, status === 405 ? { ...headers, allow: 'GET, HEAD' } : headers)
  response.end(body)
}

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { serveOptions } from './vite-options.ts'

/** Where the dashboard is served, and the service that answers all other paths (`http://host:port`). */
export interface ServeAddresses {
  readonly host: string
  readonly port: number
  readonly service: string
}

/** Serves the dashboard from its sources at /app/, with hot reload. */
export async function serveDashboard({ host, port, service }: ServeAddresses): Promise<{ stop(): Promise<void> }> {
  const { createServer } = await import('vite')
  // Vite's own server would end the whole process on SIGTERM.
  const http = createHttpServer()
  const vite = await createServer(serveOptions(http, service))
  http.on('request', (request, response) => {
    if (['/', '/app'].includes(request.url ?? '')) response.writeHead(302, { location: '/app/' }).end()
    else vite.middlewares(request, response)
  })
  http.listen(port, host)
  await once(http, 'listening')
  return {
    stop: async () => {
      await vite.close()
      http.close()
      http.closeAllConnections()
    },
  }
}

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { apiDocument } from '@zonewright/contract'
import { Refusal } from '../errors.ts'
import type { Registry } from '../metrics.ts'
import { apiPrefix } from './mount.ts'
import type { HttpServer } from './server.ts'

const referencePage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Zonewright API</title></head>
<body style="margin:0">
<rapi-doc spec-url="${apiPrefix}/openapi.json" render-style="read" show-header="false" allow-server-selection="false" load-fonts="false"
  theme="light" primary-color="#0b6e4f" allow-spec-url-load="false" allow-spec-file-load="false" persist-auth="false"></rapi-doc>
<script type="module" src="${apiPrefix}/reference/rapidoc.js"></script>
</body>
</html>
`

/** What the reference page may load: itself alone. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `/healthz`, `/readyz`, `/metrics`, the OpenAPI document and its page: for operators and readers, without a key. */
export function mountOperatorRoutes(
  server: HttpServer,
  context: { metrics: Registry; ready: () => Promise<boolean> },
): void {
  const { fastify } = server
  fastify.get('/healthz', async () => ({ status: 'ok' }))
  fastify.get('/readyz', async () => {
    if (await context.ready()) return { status: 'ready' }
    throw new Refusal('unavailable', 'The service is starting or cannot reach its database.', {
      headers: { 'retry-after': '2' },
    })
  })
  fastify.get('/metrics', async (_request, reply) =>
    reply.type(context.metrics.contentType).send(await context.metrics.metrics()),
  )
  const document = apiDocument()
  fastify.get(`${apiPrefix}/openapi.json`, async () => document)
  fastify.get(`${apiPrefix}/reference`, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', referencePolicy).send(referencePage),
  )
  const script = readFile(fileURLToPath(import.meta.resolve('rapidoc/dist/rapidoc-min.js')))
  fastify.get(`${apiPrefix}/reference/rapidoc.js`, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(await script),
  )
  fastify.get('/', async (_request, reply) => reply.redirect(`${apiPrefix}/reference`))
}

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { apiDocument } from '@zonewright/contract'
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

/** The OpenAPI document and its page: for readers, without a key. `home` is where `/` leads. */
export function mountReference({ fastify }: HttpServer, home = `${apiPrefix}/reference`): void {
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
  fastify.get('/', async (_request, reply) => reply.redirect(home))
}

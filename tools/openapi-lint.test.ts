import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { apiDocument } from '@zonewright/contract'

const tool = fileURLToPath(new URL('openapi-lint.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zonewright-openapi-'))
after(() => rmSync(folder, { recursive: true }))

// biome-ignore lint/suspicious/noExplicitAny: tests change documents anywhere
type Document = any

function lint(document: Document): Promise<{ code: number; printed: string }> {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  return new Promise((resolve) =>
    execFile(process.execPath, [tool, file], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), printed: stdout + stderr }),
    ),
  )
}

/** A document with one operation and nothing to find. */
function small(): Document {
  const { openapi, info, servers, security, components } = apiDocument() as Document
  return {
    openapi,
    info,
    servers,
    security,
    tags: [{ name: 'Things', description: 'Things that there are.' }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          tags: ['Things'],
          summary: 'List things',
          description: 'All of them.',
          responses: {
            200: {
              description: 'Done.',
              content: { 'application/json': { schema: { type: 'integer' }, example: 1 } },
            },
            400: { description: 'Refused.' },
          },
        },
      },
    },
    components: { securitySchemes: components.securitySchemes },
  }
}

test('a document without faults passes, and each fault of another one is reported with its rule', async () => {
  const sound = await lint(small())
  assert.equal(sound.code, 0, sound.printed)
  const spoilt = small()
  delete spoilt.tags[0].description
  delete spoilt.info.license
  delete spoilt.info.contact
  delete spoilt.paths['/things'].get.operationId
  spoilt.paths['/things'].get.responses[200].content['application/json'].example = 'one'
  const { code, printed } = await lint(spoilt)
  assert.equal(code, 1, printed)
  for (const rule of [
    'tag-description',
    'info-license',
    'no-invalid-media-type-examples',
    'info-contact',
    'operation-operationId',
    'oas3-valid-media-example',
  ])
    assert.match(printed, new RegExp(rule))
})

test('no connection is opened, even for a reference to another server', async () => {
  let connections = 0
  const server = createServer((_request, response) => response.end('{"type":"integer"}'))
  server.on('connection', () => connections++).listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const document = small()
  const { port } = server.address() as AddressInfo
  document.paths['/things'].get.responses[200].content['application/json'].schema = {
    $ref: `http://127.0.0.1:${port}/schema.json`,
  }
  const { code, printed } = await lint(document)
  assert.equal(code, 1, printed)
  assert.equal(connections, 0)
})

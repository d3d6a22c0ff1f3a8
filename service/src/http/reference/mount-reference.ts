import { createHash } from 'node:crypto'
import { apiDocument } from '@zonewright/contract'
import { compressDocument, type StaticDocument, sendDocument } from '#platform/http/static-document.ts'
import { apiPrefix } from '../mount.ts'
import type { HttpServer } from '../server.ts'
import type { Document } from './document.ts'
import { referencePage } from './page.ts'
import { style } from './style.ts'

/** What the reference page may load: nothing. Its one style element is identified by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Cached but revalidated on each use: a new version shows at once, and an unchanged one costs a 304. */
const keptWhileSame = { 'cache-control': 'public, no-cache' }

/** The OpenAPI document and its page: for readers, without a key. `home`: where `/` redirects; null: `/` is a page of the site. */
export function mountReference({ fastify }: HttpServer, home: string | null = `${apiPrefix}/reference`): void {
  const document = apiDocument()
  const text = referencePage(document as unknown as Document, home === null)
  const openapi = once(() =>
    compressDocument(JSON.stringify(document), {
      ...keptWhileSame,
      'content-type': 'application/json; charset=utf-8',
    }),
  )
  const page = once(() =>
    compressDocument(text, {
      ...keptWhileSame,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    }),
  )
  fastify.get(`${apiPrefix}/openapi.json`, async (request, reply) => sendDocument(request, reply, await openapi()))
  fastify.get(`${apiPrefix}/reference`, async (request, reply) => sendDocument(request, reply, await page()))
  if (home !== null) fastify.get('/', async (_request, reply) => reply.redirect(home))
}

/** Built on the first request, and kept. */
function once(make: () => Promise<StaticDocument>): () => Promise<StaticDocument> {
  let made: Promise<StaticDocument> | undefined
  return () => {
    made ??= make()
    return made
  }
}

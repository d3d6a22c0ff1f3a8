import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { apiDocument, eventTypes, routes } from '@zonewright/contract'
import { createFastify } from '#platform/http/fastify.ts'
import { createLogger } from '#platform/log.ts'
import type { HttpServer } from '../server.ts'
import type { Document } from './document.ts'
import { mountReference } from './mount-reference.ts'
import { referencePage } from './page.ts'

const document = apiDocument() as unknown as Document
const page = referencePage(document, true)
const fastify = createFastify(createLogger('test', 'silent'))
mountReference({ fastify } as HttpServer, null)
const documents = ['/api/v1/openapi.json', '/api/v1/reference']

test('the page shows every operation, event and object once, and every link within it has a target', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
  assert.deepEqual(ids.length, new Set(ids).size, 'no id twice')
  for (const { id } of routes) assert.ok(ids.includes(id), id)
  for (const type of Object.keys(eventTypes)) assert.ok(ids.includes(`event-${type}`), type)
  for (const name of Object.keys(document.components.schemas)) assert.ok(ids.includes(`object-${name}`), name)
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  assert.ok(targets.length > routes.length)
  assert.deepEqual(
    targets.filter((target) => !ids.includes(target)),
    [],
  )
})

test('each operation shows how to call it, who may call it, its responses and its errors', () => {
  for (const { id, method, path, who, answers } of routes) {
    const article = page.slice(
      page.indexOf(`<article id="${id}"`),
      page.indexOf('</article>', page.indexOf(`<article id="${id}"`)),
    )
    assert.ok(article.includes(`<code>/api/v1${path}</code>`), id)
    assert.match(article, new RegExp(`>${method}</span>`), id)
    assert.match(article, /<p class="who">.+\.<\/p>/, id)
    if (Array.isArray(who)) for (const permission of who) assert.ok(article.includes(`<code>${permission}</code>`), id)
    for (const status of Object.keys(answers)) assert.match(article, new RegExp(`Response ${status}`), id)
    assert.match(article, /<code>validation_failed<\/code>/, id)
  }
})

test('every element is closed, and text of the contract never becomes markup', () => {
  const open: string[] = []
  for (const [, end, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (name === 'meta') continue
    if (end === '') open.push(name)
    else assert.equal(open.pop(), name)
  }
  assert.deepEqual(open, [])
  const hostile = structuredClone(document) as { info: { title: string } }
  hostile.info.title = '<script>alert(1)</script>"\'&'
  const shown = referencePage(hostile as Document, true)
  assert.ok(!shown.includes('<script'))
  assert.ok(shown.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;'))
})

test('the page shows the document’s examples, one for each shape that a body may have', () => {
  const article = page.slice(page.indexOf('<article id="putRrset"'))
  const shown = [...article.slice(0, article.indexOf('</article>')).matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)]
  assert.deepEqual(
    shown.map(([, text = '']) => Object.keys(JSON.parse(text.replaceAll('&quot;', '"')))[0]),
    ['ttl', 'name', 'version', 'name'],
  )
  assert.doesNotMatch(page, /<code>(undefined)?<\/code><\/pre>/)
})

test('the page is self-contained: it has no script, and one style that its policy allows', async () => {
  const { headers, body } = await fastify.inject({ url: '/api/v1/reference' })
  const policy = String(headers['content-security-policy'])
  const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
  assert.ok(policy.includes(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`))
  assert.match(policy, /^default-src 'none';/)
  assert.doesNotMatch(policy, /unsafe|script-src/)
  assert.deepEqual(body.match(/<script|<link|<img| style=| on\w+="| src=|href="(?![#/])|url\(/g), null)
})

test('documents are compressed, and sent again only if they have changed', async () => {
  for (const url of documents) {
    const plain = await fastify.inject({ url })
    assert.equal(plain.statusCode, 200)
    assert.equal(plain.headers['x-content-type-options'], 'nosniff')
    assert.equal(plain.headers['cache-control'], 'public, no-cache')
    assert.equal(plain.headers['vary'], 'accept-encoding')
    const tags = [String(plain.headers['etag'])]
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await fastify.inject({ url, headers: { 'accept-encoding': encoding } })
      assert.equal(packed.headers['content-encoding'], encoding)
      assert.ok(packed.rawPayload.length < plain.rawPayload.length / 5)
      assert.deepEqual(unpack(packed.rawPayload), plain.rawPayload)
      tags.push(String(packed.headers['etag']))
      const again = await fastify.inject({
        url,
        headers: { 'accept-encoding': encoding, 'if-none-match': String(packed.headers['etag']) },
      })
      assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
      assert.equal(again.headers['etag'], packed.headers['etag'])
      assert.equal(again.headers['content-encoding'], undefined)
    }
    assert.equal(new Set(tags).size, 3, 'a strong tag for each encoding')
    const [tag = ''] = tags
    assert.match(tag, /^"[\w-]{22}"$/)
    for (const [field, status] of [
      [tag, 304],
      [`W/${tag}`, 304],
      [`"other", ${tag}`, 304],
      ['*', 304],
      ['"other"', 200],
      [tag.slice(1, -1), 200],
      ['', 200],
      [',,,', 200],
    ] as const)
      assert.equal((await fastify.inject({ url, headers: { 'if-none-match': field } })).statusCode, status, field)
  }
})

test('uses an encoding only if the client accepts it', async () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip;q=0', undefined],
    ['br;q=0.1', 'br'],
    ['identity', undefined],
    ['brotli', undefined],
    ['x-gzip', undefined],
    ['', undefined],
    [';,;q=;', undefined],
  ] as const) {
    const { headers } = await fastify.inject({ url: documents[0] ?? '', headers: { 'accept-encoding': accepted } })
    assert.equal(headers['content-encoding'], encoding, accepted)
  }
})

test('HEAD returns the same headers as GET, without the document', async () => {
  for (const url of documents) {
    const head = await fastify.inject({ method: 'HEAD', url })
    const get = await fastify.inject({ url })
    assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0])
    for (const name of ['etag', 'content-length', 'content-type'])
      assert.equal(head.headers[name], get.headers[name], name)
  }
})

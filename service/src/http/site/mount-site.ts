import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#platform/errors.ts'
import { compressDocument, type StaticDocument, sendDocument } from '#platform/http/static-document.ts'
import { networkOf } from '#platform/network-of.ts'
import type { BrandSetting } from '#platform/settings/brand-setting.ts'
import { type Html, html } from '../reference/html.ts'
import type { HttpServer } from '../server.ts'
import { brandColors, branded } from './brand.ts'
import { type FoundName, landingPage, searchPage, type TldPrice } from './landing-page.ts'

/** What the pages without scripts need. */
export interface SiteContext {
  /** The built dashboard, which has the documentation and the frame of these pages. */
  readonly folder: string
  readonly brand: BrandSetting
  readonly prices: readonly TldPrice[]
  /** Whether names can be bought, by a word or a name that someone typed. */
  readonly search: (text: string) => Promise<readonly FoundName[]>
  /** Whether a cookie is that of a session. The session may have ended. */
  readonly isSignedIn: (cookie: string | undefined) => boolean
}

/** These pages load only our own style sheets and pictures. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, no-cache',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
}

/** Maximum number of characters in a search for a name. */
const maxQuery = 200
const config = { isFile: true } as const
/** The frame of all these pages: it is built together with the documentation. */
const frameFile = 'docs/frame.html'

/**
 * Serves the documentation below `/docs`, the page for people who are not signed in at `/`, the search for names, and the operator's logo and
 * color. If the operator's own dashboard has no documentation, `/` leads to the dashboard.
 */
export function mountSite(server: HttpServer, context: SiteContext): void {
  const { folder, brand } = context
  mountBrand(server, folder, brand)
  if (!existsSync(join(folder, frameFile))) {
    server.fastify.get('/', { config }, async (_request, reply) => reply.redirect('/app/'))
    return
  }
  mountDocs(server, join(folder, 'docs'), brand)
  mountLanding(server, context)
}

function mountBrand({ fastify }: HttpServer, folder: string, brand: BrandSetting): void {
  const assets = join(folder, 'assets')
  const icon = existsSync(assets) ? readdirSync(assets).find((name) => /^icon-.*\.svg$/.test(name)) : undefined
  const own = icon === undefined ? undefined : { type: 'image/svg+xml', content: readFileSync(join(assets, icon)) }
  const logo = brand.logo ?? own
  const colors = brandColors(brand)
  fastify.get('/brand/logo', { config }, async (_request, reply) => {
    if (logo === undefined) throw new Refusal('not_found', 'There is no logo.')
    // A picture with scripts must not run them, even if someone opens it as a page.
    return reply
      .headers({
        'content-type': logo.type,
        'cache-control': 'public, max-age=3600',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .send(logo.content)
  })
  fastify.get('/brand/colors.css', { config }, async (_request, reply) =>
    reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=300' }).send(colors),
  )
}

function mountDocs({ fastify }: HttpServer, folder: string, brand: BrandSetting): void {
  const pages = lazyPages(folder, (text) => branded(text, brand))
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const page = pages.get(name)
    if (page !== undefined && name !== 'not-found' && name !== 'frame')
      return sendDocument(request, reply, await page())
    const missing = await pages.get('not-found')?.()
    if (missing === undefined) throw new Refusal('not_found', 'There is no such page.')
    return sendDocument(request, reply.code(404), missing)
  }
  fastify.get('/docs', { config }, (request, reply) => send(request, reply, 'index'))
  fastify.get('/docs/', { config }, async (_request, reply) => reply.redirect('/docs'))
  fastify.get('/docs/:page', { config }, (request, reply) =>
    send(request, reply, (request.params as { page: string }).page),
  )
  const examples = readExamples(join(folder, 'examples'))
  fastify.get('/docs/examples/:name', { config }, async (request, reply) => {
    const text = examples.get((request.params as { name: string }).name)
    if (text === undefined) return send(request, reply, 'not-found')
    return reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, no-cache' })
      .send(text)
  })
  fastify.get('/docs/*', { config }, (request, reply) => send(request, reply, 'not-found'))
}

/** The pages of a folder, each compressed when it is first read. */
function lazyPages(
  folder: string,
  shown: (text: string) => string,
): ReadonlyMap<string, () => Promise<StaticDocument>> {
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((file) => {
        let made: Promise<StaticDocument> | undefined
        return [
          basename(file, '.html'),
          () => {
            made ??= compressDocument(shown(readFileSync(join(folder, file), 'utf8')), pageHeaders)
            return made
          },
        ]
      }),
  )
}

function readExamples(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map()
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function mountLanding(
  { fastify, limits }: HttpServer,
  { folder, brand, prices, search, isSignedIn }: SiteContext,
): void {
  const frame = branded(readFileSync(join(folder, frameFile), 'utf8'), brand)
  const pageOf = (title: string, main: Html): string =>
    frame.replace('<!--title-->', () => html`${{ text: title }}`).replace('<!--main-->', () => main)
  let landing: Promise<StaticDocument> | undefined
  fastify.get('/', { config }, async (request, reply) => {
    if (isSignedIn(request.headers.cookie)) return reply.header('cache-control', 'no-store').redirect('/app/')
    landing ??= compressDocument(pageOf('Domains and DNS', landingPage(prices)), { ...pageHeaders, vary: 'cookie' })
    return sendDocument(request, reply, await landing)
  })
  fastify.get('/search', async (request, reply) => {
    const { q } = request.query as { q?: unknown }
    const query = typeof q === 'string' ? q.trim().slice(0, maxQuery) : ''
    if (query === '') return reply.redirect('/')
    const found = await searched(query, networkOf(request.ip))
    return reply
      .headers({ ...pageHeaders, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .code(typeof found === 'string' ? 429 : 200)
      .send(pageOf(`${query}: search`, searchPage(query, found)))
  })

  /** Registries limit queries: those of one network count like those of one account, and so do those of all people who are not signed in. */
  async function searched(query: string, network: string): Promise<readonly FoundName[] | string> {
    try {
      await limits?.admitOutside('check', `network ${network}`)
      await limits?.admitOutside('quote', 'people who are not signed in')
    } catch (error) {
      if (error instanceof Refusal && error.code === 'rate_limited')
        return 'Too many people are searching now. Try again in a minute, or sign in to search.'
      throw error
    }
    return await search(query)
  }
}

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyReply } from 'fastify'
import { Refusal } from '#platform/errors.ts'
import { type StaticDocument, sendDocument, staticDocument } from '#platform/http/static-document.ts'
import type { BrandSetting } from '#platform/settings/brand-setting.ts'
import { apiPrefix } from './mount.ts'
import type { HttpServer } from './server.ts'
import { brandColors, brandElement, branded, providersElement } from './site/brand.ts'

const ownBrand: BrandSetting = { name: 'Zonewright', logo: undefined, color: undefined, links: [] }

/** The providers that people can sign in with. */
type Providers = Parameters<typeof providersElement>[0]

/** The dashboard's pages are below this path. */
const dashboardPath = '/app/'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Serves the built dashboard from memory, and returns the path of the site's home: the dashboard, or the reference page where there is none. Every
 * path below /app/ that is not a file is a page of the dashboard.
 */
export function mountDashboard(
  { fastify }: HttpServer,
  folder: string | undefined,
  brand = ownBrand,
  providers: Providers = [],
): string {
  if (folder === undefined) return `${apiPrefix}/reference`
  const assets = readAssets(join(folder, 'assets'))
  const page = brandedPage(readFileSync(join(folder, 'index.html'), 'utf8'), brand, providers)
  const config = { isFile: true } as const
  fastify.get('/app', { config }, async (_request, reply) => reply.redirect(dashboardPath))
  fastify.get(`${dashboardPath}assets/:name`, { config }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const asset = assets.get(name)
    if (asset === undefined)
      throw new Refusal('not_found', 'This file no longer exists, because the dashboard was updated. Reload the page.')
    return sendDocument(request, reply, asset)
  })
  fastify.get(`${dashboardPath}*`, { config }, async (_request, reply) => sendPage(reply, page))
  return dashboardPath
}

/** The page with the operator's name, and the operator's data that the dashboard reads. */
function brandedPage(page: string, brand: BrandSetting, providers: Providers): string {
  const colors = brandColors(brand)
  // In the page itself: until a style sheet that the head links has arrived, the browser paints nothing, not even the shell.
  const offered = providers.length === 0 ? '' : providersElement(providers)
  const head = `${brandElement(brand)}${offered}${colors === '' ? '' : `<style nonce="">${colors}</style>`}`
  const named = branded(page, brand).replace('</head>', () => `${head}</head>`)
  return brand.logo === undefined ? named : named.replace(/(<link rel="icon")[^>]*>/, '$1 href="/brand/logo">')
}

/** A file of the build has its content's hash in its name: browsers may cache it without revalidation (RFC 8246). */
function readAssets(folder: string): ReadonlyMap<string, StaticDocument> {
  const names = readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name))
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  return new Map(
    names.map((name) => [
      name,
      staticDocument(
        { plain: read(name), br: read(`${name}.br`), gzip: read(`${name}.gz`) },
        {
          'content-type': types[extname(name)] ?? 'application/octet-stream',
          'cache-control': 'public, max-age=31536000, immutable',
        },
      ),
    ]),
  )
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': contentSecurityPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      // The address may contain the token of an email.
      'referrer-policy': 'no-referrer',
    })
    .send(page.replaceAll('nonce=""', `nonce="${nonce}"`))
}

/** Only scripts and styles from our own files; the nonce is for the styles of the shell in index.html and of the components. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

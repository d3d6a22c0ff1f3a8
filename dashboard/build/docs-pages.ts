import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Marked, type RendererObject, type Tokens } from 'marked'

/** A page for customers, as Markdown. */
interface Source {
  /** In its path: `/docs/<id>`. */
  readonly id: string
  readonly title: string
  readonly text: string
}

/** The pages that the navigation lists first; all others are pages of clients. */
const groups: readonly { readonly title: string; readonly ids: readonly string[] }[] = [
  { title: 'Get started', ids: ['quick-start', 'importing', 'auto-renew', 'domain-connect'] },
  { title: 'Use the API', ids: ['api-by-task', 'keys', 'webhooks', 'errors', 'limits'] },
  { title: 'Connect programs', ids: ['clients', 'acme', 'dynamic-dns', 'dns-updates', 'powerdns', 'secondaries'] },
]
const clientsTitle = 'Programs and devices'

/**
 * Renders docs/customers and docs/webhooks.md as pages that need no scripts, below `<outDir>/docs`: one HTML file per page, the start page
 * `index.html`, `not-found.html`, `frame.html` for the pages that the service creates itself, and the example scripts. `stylesheet`: its path on the site.
 *
 * @throws Error if a link leads to no page or heading
 */
export async function writeDocs(root: string, outDir: string, stylesheet: string): Promise<void> {
  const pages = readPages(root)
  const site = new DocsSite(pages, stylesheet)
  await mkdir(join(outDir, 'docs/examples'), { recursive: true })
  const files = Object.fromEntries(pages.map((page) => [page.id, site.page(page)]))
  const others = { index: site.start(), 'not-found': site.notFound(), frame: frame(stylesheet) }
  for (const [name, html] of Object.entries({ ...files, ...others }))
    await writeFile(join(outDir, 'docs', `${name}.html`), html)
  for (const path of examplesIn(root))
    await writeFile(join(outDir, 'docs/examples', basename(path)), readFileSync(join(root, path)))
}

function examplesIn(root: string): string[] {
  return globSync('docs/examples/*.sh', { cwd: root })
}

function readPages(root: string): Source[] {
  return globSync(['docs/customers/*.md', 'docs/webhooks.md'], { cwd: root })
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1]
      if (title === undefined) throw new Error(`${path} has no title`)
      return { id: basename(path, '.md'), title: title.replaceAll('`', ''), text }
    })
}

class DocsSite {
  readonly #pages: ReadonlyMap<string, Source>
  readonly #anchors: ReadonlyMap<string, ReadonlySet<string>>
  readonly #stylesheet: string

  constructor(pages: readonly Source[], stylesheet: string) {
    this.#pages = new Map(pages.map((page) => [page.id, page]))
    this.#anchors = new Map(
      pages.map(({ id, text }) => [id, new Set(headingsOf(text).map(({ text: one }) => slugOf(one)))]),
    )
    this.#stylesheet = stylesheet
  }

  page({ id, title, text }: Source): string {
    const body = this.#rendered(id, text)
    const sections = headingsOf(text).filter(({ depth }) => depth === 2)
    const contents =
      sections.length < 2
        ? ''
        : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${sections
            .map(({ text: heading }) => `<li><a href="#${slugOf(heading)}">${plainText(heading)}</a></li>`)
            .join('')}</ul></nav>`
    return this.#frame({ id, title, main: `<article class="prose">${body}</article>`, aside: contents })
  }

  start(): string {
    const lists = this.#groups().map(
      ({ title, pages }) =>
        `<section class="doc-group"><h2>${escapeHtml(title)}</h2><ul>${pages
          .map((page) => `<li><a href="/docs/${page.id}">${escapeHtml(page.title)}</a></li>`)
          .join('')}</ul></section>`,
    )
    const main = `<div class="prose"><h1>Documentation</h1>
<p class="lead">How to set up your domain, change its records, and connect your programs.</p>
<p class="actions"><a class="button" href="/docs/quick-start">Quick start</a> <a class="button quiet-button" href="/api/v1/reference">API reference</a></p></div>
<div class="doc-groups">${lists.join('')}</div>`
    return this.#frame({ id: 'index', title: 'Documentation', main })
  }

  notFound(): string {
    const main = `<div class="prose"><h1>Page not found</h1><p>The address may be mistyped, or the page may have moved.</p>
<p class="actions"><a class="button" href="/docs">All pages</a></p></div>`
    return this.#frame({ id: '', title: 'Page not found', main })
  }

  #groups(): { readonly title: string; readonly pages: readonly Source[] }[] {
    const listed = new Set(groups.flatMap(({ ids }) => ids))
    const others = [...this.#pages.values()].filter(({ id }) => !listed.has(id))
    const byTitle = others.toSorted((a, b) => a.title.localeCompare(b.title, 'en', { sensitivity: 'base' }))
    return [
      ...groups.map(({ title, ids }) => ({ title, pages: ids.map((id) => this.#known(id)) })),
      { title: clientsTitle, pages: byTitle },
    ]
  }

  #known(id: string): Source {
    const page = this.#pages.get(id)
    if (page === undefined) throw new Error(`The documentation has no page ${id}`)
    return page
  }

  #frame({ id, title, main, aside = '' }: { id: string; title: string; main: string; aside?: string }): string {
    const links = this.#groups()
      .map(
        (group) =>
          `<p>${escapeHtml(group.title)}</p><ul>${group.pages
            .map(
              (page) =>
                `<li><a href="/docs/${page.id}"${page.id === id ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`,
            )
            .join('')}</ul>`,
      )
      .join('')
    return `${headOf(title === 'Documentation' ? title : `${title} · Documentation`, this.#stylesheet)}
<body>
<a class="skip" href="#content">Skip to the content</a>
${header}
<div class="docs">
<nav class="sidebar" aria-label="Documentation"><details class="menu"><summary>All pages</summary>${links}</details><div class="wide">${links}</div></nav>
<main id="content">${main}</main>
${aside}
</div>
${footer}
</body>
</html>
`
  }

  #rendered(page: string, text: string): string {
    const marked = new Marked({ gfm: true, renderer: this.#renderer(page) })
    return marked.parse(text, { async: false })
  }

  #renderer(page: string): RendererObject {
    const site = this
    return {
      heading({ tokens, depth, text }) {
        const id = slugOf(text)
        const body = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${body}</h1>\n`
        return `<h${depth} id="${id}">${body} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const body = this.parser.parseInline(tokens)
        const target = site.#targetOf(page, href)
        if (target === undefined) return body
        return `<a href="${escapeHtml(target)}"${/^https?:/.test(target) ? ' rel="noreferrer"' : ''}>${body}</a>`
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`
      },
      table({ header: heads, rows }) {
        const cells = (tag: string, row: readonly Tokens.TableCell[]): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const body = rows.map((row) => `<tr${codeIdOf(row)}>${cells('td', row)}</tr>`).join('\n')
        return `<div class="table" tabindex="0"><table><thead><tr>${cells('th', heads)}</tr></thead><tbody>${body}</tbody></table></div>\n`
      },
      html({ text }) {
        // Comments are for the tools that write parts of pages.
        return text.startsWith('<!--') ? '' : escapeHtml(text)
      },
    }
  }

  /** The address on the site; undefined: the target is not published, so only the link's text is shown. */
  #targetOf(page: string, href: string): string | undefined {
    if (/^[a-z]+:/.test(href)) return href
    const [path = '', anchor] = href.split('#')
    if (/^(?:\.\.\/)?examples\/[\w-]+\.sh$/.test(path)) return `/docs/examples/${basename(path)}`
    const id = path === '' ? page : basename(path, '.md')
    const isPage = path === '' || path.endsWith('.md')
    if (!isPage || !this.#pages.has(id)) return undefined
    if (anchor !== undefined && this.#anchors.get(id)?.has(anchor) !== true)
      throw new Error(`${page} links to ${href}, and there is no such heading`)
    const hash = anchor === undefined ? '' : `#${anchor}`
    return path === '' ? hash : `/docs/${id}${hash}`
  }
}

/** A row about a code, such as an error code, can be the target of a link. */
function codeIdOf([first]: readonly Tokens.TableCell[]): string {
  const code = /^`([a-z][a-z0-9_]*)`$/.exec(first?.text ?? '')?.[1]
  return code === undefined ? '' : ` id="${code}"`
}

function headingsOf(text: string): { readonly depth: number; readonly text: string }[] {
  return new Marked()
    .lexer(text)
    .flatMap((token) => (token.type === 'heading' ? [{ depth: token.depth, text: token.text }] : []))
}

/** The same slug as on GitHub, so that links in the sources also work there. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** A heading without its code marks, as HTML. */
function plainText(text: string): string {
  return escapeHtml(text.replaceAll('`', ''))
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The service replaces `Zonewright` with the operator's name. */
function headOf(title: string, stylesheet: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Zonewright</title>
<link rel="icon" href="/brand/logo">
<link rel="stylesheet" href="/brand/colors.css">
<link rel="stylesheet" href="${stylesheet}">
</head>`
}

const header = headerWith('<a class="button" href="/app/">Dashboard</a>')

/** `/` and the search are for people who have no session. */
const signedOutHeader = headerWith(
  '<a href="/app/sign-in" class="always">Sign in</a> <a class="button" href="/app/sign-up">Sign up</a>',
)

function headerWith(account: string): string {
  return `<header class="top"><a class="brand" href="/"><img src="/brand/logo" alt="" width="28" height="28"> Zonewright</a>
<nav aria-label="Site"><a href="/docs">Docs</a> <a href="/api/v1/reference">API</a> <!--links-->${account}</nav></header>`
}

const footer = `<footer class="bottom"><p>Zonewright</p><nav aria-label="More"><a href="/docs">Docs</a> <a href="/api/v1/reference">API reference</a> <!--links--></nav></footer>`

/** A page that the service fills in. */
function frame(stylesheet: string): string {
  return `${headOf('\0', stylesheet).replace('\0', '<!--title-->')}
<body>
<a class="skip" href="#content">Skip to the content</a>
${signedOutHeader}
<!--main-->
${footer}
</body>
</html>
`
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** An entry of Vite's manifest. */
interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

/** The maximum amount of JavaScript that these pages may load initially, gzipped (design: dashboard, "Rules"). */
export const maxFirstLoadBytes = 250_000
const budgetedPages = ['src/pages/sign-in-page.tsx', 'src/pages/zones-page.tsx']

/** The JavaScript that a page loads initially: gzipped as it is served, in bytes. */
export interface FirstLoad {
  readonly page: string
  readonly bytes: number
}

/** Measures the pages that have a budget. */
export function weighPages(dist: string): FirstLoad[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  return budgetedPages.map((page) => {
    const files = new Set<string>()
    for (const entry of ['index.html', page]) collect(manifest, entry, files)
    const bytes = [...files].reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
      0,
    )
    return { page, bytes }
  })
}

/** Throws if a page exceeds the budget. */
export function keepBudget(dist: string): void {
  const heavy = weighPages(dist).filter(({ bytes }) => bytes > maxFirstLoadBytes)
  if (heavy.length > 0)
    throw new Error(
      heavy
        .map(
          ({ page, bytes }) => `${page} loads ${bytes} bytes of gzipped JavaScript; ${maxFirstLoadBytes} are allowed.`,
        )
        .join('\n'),
    )
}

function collect(manifest: Record<string, Chunk>, key: string, files: Set<string>): void {
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`${key} is not in the manifest of the build`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) collect(manifest, imported, files)
}

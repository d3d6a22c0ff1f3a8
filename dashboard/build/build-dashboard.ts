import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.cache/dashboard')
/** Everything that a build is built from. */
const sources = [
  'dashboard/{index.html,package.json}',
  'dashboard/build/*.ts',
  'dashboard/src/**/*',
  'dashboard/site/*',
  'docs/{customers,examples}/*',
  'docs/webhooks.md',
  'packages/{contract,dns}/src/**/*.ts',
  'packages/{contract,dns}/package.json',
  'package-lock.json',
]

/**
 * Builds the dashboard, unless the same sources were built before, and returns its folder.
 *
 * The folder's name is a hash of the sources. The folder appears completely or not at all, even if several programs build at the same time. Throws if
 * a page exceeds its budget.
 */
export async function buildDashboard(onBuild: () => void = () => undefined): Promise<string> {
  const built = join(folder, hashOfSources())
  if (existsSync(built)) return built
  onBuild()
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `unfinished-${process.pid}`)
  // Imported only here, because Vite is large and a later start does not need it.
  const [{ build }, { buildOptions }, { keepBudget }, { writeDocs }] = await Promise.all([
    import('vite'),
    import('./vite-options.ts'),
    import('./budget.ts'),
    import('./docs-pages.ts'),
  ])
  await build(buildOptions(unfinished))
  keepBudget(unfinished)
  await writeDocs(root, unfinished, await writeStyles(unfinished))
  await compressAssets(join(unfinished, 'assets'))
  await rename(unfinished, built).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true })
    // Another program built the same sources in the meantime.
    if (!existsSync(built)) throw error
  })
  return built
}

/** Writes the style sheet of the pages without scripts, with a hash of its content in its name. Returns its path on the site. */
async function writeStyles(outDir: string): Promise<string> {
  const content = await readFile(join(root, 'dashboard/site/site.css'))
  const name = `site-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.css`
  await writeFile(join(outDir, 'assets', name), content)
  return `/app/assets/${name}`
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
    .sort()
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex').slice(0, 32)
}

/** Writes compressed copies next to each asset, which browsers prefer: brotli and gzip. */
async function compressAssets(assets: string): Promise<void> {
  for (const name of await readdir(assets)) {
    const path = join(assets, name)
    const content = await readFile(path)
    await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
    await writeFile(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }))
  }
}

// `npm run locks`: writes docs/reference/locks.md from the SQL of the service; with `--check`, says whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locksPage } from './local/locks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = join(root, 'docs/reference/locks.md')

try {
  const page = locksPage(root)
  if (!process.argv.includes('--check')) writeFileSync(path, page)
  else if (readFileSync(path, 'utf8') !== page)
    throw new Error('docs/reference/locks.md is out of date. Run `npm run locks`.')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

// `npm run locks`: writes docs/reference/locks.md from the SQL of the service; with `--check`, says whether it is up to date.
import { fileURLToPath } from 'node:url'
import { locksPage } from './local/locks.ts'
import { writeOrCheck } from './local/written-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

try {
  writeOrCheck({ 'docs/reference/locks.md': locksPage(root) }, 'npm run locks')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

// Writes openapi.json and docs/reference/routes.md from the contract; with --check, says whether they are what the contract says.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiDocument } from '@zonewright/contract'
import { routesPage } from './local/routes-page.ts'

const written = {
  'openapi.json': `${JSON.stringify(apiDocument(), undefined, 2)}\n`,
  'docs/reference/routes.md': routesPage(),
}

for (const [file, text] of Object.entries(written)) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${file} differs from the contract: run \`npm run openapi\` and review the difference.\n`)
    process.exitCode = 1
  }
}

// Writes openapi.json from the contract; with --check, says whether it is what the contract says.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiDocument } from '@zonewright/contract'

const path = fileURLToPath(new URL('../openapi.json', import.meta.url))
const text = `${JSON.stringify(apiDocument(), undefined, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  process.stderr.write('openapi.json is not what the contract says: run `npm run openapi` and review the difference.\n')
  process.exitCode = 1
}

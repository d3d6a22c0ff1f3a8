// Writes openapi.json and docs/reference/routes.md from the contract; with --check, says whether they are up to date.
import { apiDocument } from '@zonewright/contract'
import { routesPage } from './local/routes-page.ts'
import { writeOrCheck } from './local/written-files.ts'

writeOrCheck(
  {
    'openapi.json': `${JSON.stringify(apiDocument(), undefined, 2)}\n`,
    'docs/reference/routes.md': routesPage(),
  },
  'npm run openapi',
)

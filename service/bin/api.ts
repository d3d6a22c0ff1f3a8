// Runs one part of the service in its own process.

import { startApi } from '#compose/api.ts'
import { runPart } from '#compose/run-part.ts'

await runPart('api', startApi)

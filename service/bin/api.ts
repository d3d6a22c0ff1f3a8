// One part of the service in a process of its own.

import { startApi } from '#compose/api.ts'
import { runPart } from '#compose/run-part.ts'

await runPart('api', startApi)

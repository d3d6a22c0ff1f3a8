// Runs one part of the service in its own process.

import { startPrimary } from '#compose/primary.ts'
import { runPart } from '#compose/run-part.ts'

await runPart('primary', startPrimary)

// One part of the service in a process of its own.

import { startPrimary } from '#compose/primary.ts'
import { runPart } from '#compose/run-part.ts'

await runPart('primary', startPrimary)

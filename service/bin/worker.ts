// Runs one part of the service in its own process.

import { runPart } from '#compose/run-part.ts'
import { startWorker } from '#compose/worker.ts'

await runPart('worker', startWorker)

// One part of the service in a process of its own.

import { runPart } from '#compose/run-part.ts'
import { startWorker } from '#compose/worker.ts'

await runPart('worker', startWorker)

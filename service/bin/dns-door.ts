// Runs one part of the service in its own process.

import { startDnsDoor } from '#compose/dns-door.ts'
import { runPart } from '#compose/run-part.ts'

await runPart('dns-door', startDnsDoor)

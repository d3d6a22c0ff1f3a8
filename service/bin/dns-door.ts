// One part of the service in a process of its own.

import { startDnsDoor } from '#compose/dns-door.ts'
import { runPart } from '#compose/run-part.ts'

await runPart('dns-door', startDnsDoor)

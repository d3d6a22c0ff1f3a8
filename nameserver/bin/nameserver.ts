/** The public authoritative nameserver; see README.md for its flags. */
import { endpointToText } from '../src/endpoint.ts'
import { jsonLog } from '../src/log.ts'
import { parseOptions } from '../src/options.ts'
import { type Nameserver, startNameserver } from '../src/server.ts'
import { reasonOf, StartupFault } from '../src/startup-fault.ts'

const log = jsonLog((line) => process.stderr.write(line))
let nameserver: Nameserver | undefined

process.on('uncaughtException', (error) => {
  log.error('crashed', { reason: error.message, stack: error.stack ?? '' })
  process.exit(1)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

try {
  nameserver = await startNameserver(parseOptions(process.argv.slice(2)), log)
  const addresses = nameserver.endpoints.map(endpointToText).join(' ')
  process.stdout.write(`ready ${addresses} zones ${nameserver.zoneCount}\n`)
} catch (error) {
  log.error(
    reasonOf(error),
    error instanceof StartupFault ? {} : { stack: error instanceof Error ? (error.stack ?? '') : '' },
  )
  process.exit(1)
}

async function stop(signal: string): Promise<void> {
  await nameserver?.stop()
  log.info('stopped', { signal })
  process.exit(0)
}

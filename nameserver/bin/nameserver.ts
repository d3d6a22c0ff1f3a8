/** The public authoritative nameserver; see README.md for its flags. */
import { endpointToText } from '../src/endpoint.ts'
import { helpText } from '../src/flags.ts'
import { inheritedDescriptors } from '../src/listen/inherited.ts'
import { jsonLog } from '../src/log.ts'
import { standardError } from '../src/log-lines.ts'
import { parseOptions } from '../src/options.ts'
import { type Nameserver, startNameserver } from '../src/server.ts'
import { reasonOf, StartupFault } from '../src/startup-fault.ts'
import { notifySystemd } from '../src/watchdog/notify-systemd.ts'
import { startWatchdog } from '../src/watchdog/watchdog.ts'

const args = process.argv.slice(2)
if (args.includes('--help')) {
  process.stdout.write(helpText())
  process.exit(0)
}

const lines = standardError()
const log = jsonLog((line) => lines.write(line))
let nameserver: Nameserver | undefined

process.on('uncaughtException', (error) => {
  log.error('crashed', { reason: error.message, stack: error.stack ?? '' })
  process.exit(1)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))
// Otherwise, killing a parent that opened an IPC channel, such as `npm start`, would leave this process running.
if (process.connected) process.once('disconnect', () => void stop('the parent is gone'))

try {
  nameserver = await startNameserver(parseOptions(args, inheritedDescriptors(process.env, process.pid)), log)
  const addresses = nameserver.endpoints.map(endpointToText).join(' ')
  // Start the watchdog only now: loading many zones may take longer than it waits.
  startWatchdog()
  notifySystemd()
  process.stdout.write(`ready ${addresses} zones ${nameserver.zoneCount} door ${nameserver.door}\n`)
} catch (error) {
  log.error(
    reasonOf(error),
    error instanceof StartupFault ? {} : { stack: error instanceof Error ? (error.stack ?? '') : '' },
  )
  process.exit(1)
}

async function stop(why: string): Promise<void> {
  await nameserver?.stop()
  log.info('stopped', { why })
  process.exit(0)
}

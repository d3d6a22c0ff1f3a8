import { fileURLToPath } from 'node:url'
import { runServer, type Server } from './server.ts'

export const nameserverProgram = fileURLToPath(new URL('../../../../nameserver/bin/nameserver.ts', import.meta.url))

/** Our nameserver with all that it has but rate limiting, which would limit the load. */
export const usualFlags = ['--threads', '1', '--rrl', 'off', '--nsid', 'bench']

export const ours: Server = {
  name: 'ours',
  start: ({ port, zones }) =>
    runServer(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        nameserverProgram,
        ...['--listen', `127.0.0.1:${port}`, '--door', 'fast', '--metrics', '127.0.0.1:0'],
        ...['--zone-dir', zones.folder, ...usualFlags],
      ],
      port,
    ),
}

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeArgs } from '../../../../tools/local/process.ts'
import { catalogName } from '../primary/zone-book.ts'
import { type RunningServer, runServer, type Server } from './server.ts'

const thisCheckout = fileURLToPath(new URL('../../../..', import.meta.url))

/** Our nameserver with zone files and all features except rate limiting, which would limit the load. */
export const ours: Server = oursOf('ours', thisCheckout)

/** The nameserver of a checkout. */
export function oursOf(name: string, checkout: string): Server {
  return { name, start: ({ port, zones }) => runOurs(port, ['--zone-dir', zones.folder], checkout) }
}

/** The primary of our nameserver, and its store. */
export interface Following {
  /** host:port */
  readonly primary: string
  readonly keyFile: string
  readonly store: string
}

/** Starts our nameserver as a secondary; it immediately answers from its store. */
export function followWithOurs(port: number, { primary, keyFile, store }: Following): Promise<RunningServer> {
  return runOurs(port, ['--primary', primary, '--catalog', catalogName, '--tsig', keyFile, '--store', store])
}

function runOurs(port: number, source: readonly string[], checkout = thisCheckout): Promise<RunningServer> {
  const listen = ['--listen', `127.0.0.1:${port}`, '--door', 'fast', '--threads', '1', '--metrics', '127.0.0.1:0']
  const node = [
    '--disable-warning=ExperimentalWarning',
    ...nodeArgs.nameserver,
    join(checkout, 'nameserver/bin/nameserver.ts'),
  ]
  return runServer(process.execPath, [...node, ...listen, '--rrl', 'off', '--nsid', 'bench', ...source], port)
}

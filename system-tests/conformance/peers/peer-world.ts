import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { freeAddresses } from '../../../tools/local/addresses.ts'
import { type World, worldForTests } from '../../world/index.ts'
import { bind } from './bind.ts'
import { knot } from './knot.ts'
import { nsd } from './nsd.ts'
import { ours } from './ours.ts'
import type { Running, Secondary } from './peer.ts'
import { powerdns } from './powerdns.ts'

/** An installation whose nameservers are third-party ones, and one of ours. */
export interface PeerWorld {
  readonly world: World
  readonly peers: readonly { readonly peer: Secondary; readonly listen: string; readonly running: Running }[]
  /** `NAMESERVERS`, one by one. */
  readonly nameservers: readonly string[]
  readonly primary: string
  /** Where a second primary may listen. */
  readonly standby: string
  /** Where a second API may listen. */
  readonly http: string
  /** Signs transfers. */
  readonly key: string
  /** Also stops something else once all tests are over. */
  stopAtEnd(stop: () => Promise<void>): void
}

/** Starts it for one test file, before its first test, because Node runs tests and `after` hooks as soon as the first ones are defined. */
export async function peerWorld(): Promise<PeerWorld> {
  const free = await freeAddresses()
  const sites = [
    { peer: knot, listen: free.ns1 },
    { peer: bind, listen: free.ns2 },
    { peer: powerdns, listen: free.http },
    { peer: nsd, listen: free.primary },
    { peer: ours, listen: free.receiver },
  ]
  const nameservers = sites.map(({ listen }, i) => `ns${i + 1}.zonewright.test=${listen}`)
  const world = await worldForTests({ env: { NAMESERVERS: nameservers.join(',') } })
  const primary = world.env['PRIMARY_LISTEN'] ?? ''
  // A separate address, because nameservers decide only by the address whether to accept a NOTIFY.
  const standby = free.receiverLog.replace('127.0.0.1', '127.0.0.2')
  const key = readFileSync(join(world.dataDir, 'tsig.key'), 'utf8').trim()
  const stops: (() => Promise<void>)[] = []
  after(() => Promise.all(stops.map((stop) => stop())))
  const peers = await Promise.all(
    sites.map(async ({ peer, listen }) => {
      const folder = join(world.dataDir, peer.name)
      mkdirSync(folder)
      const running = await peer.start({ folder, listen, primary, standby, secret: key.split(':')[2] ?? '' })
      stops.push(() => running.stop())
      return { peer, listen, running }
    }),
  )
  return { world, peers, nameservers, primary, standby, http: free.mailbox, key, stopAtEnd: (stop) => stops.push(stop) }
}

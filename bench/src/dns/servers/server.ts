import { type Running, runPeer } from '../../../../system-tests/conformance/peers/peer.ts'
import { onCore, serverCore } from '../cores.ts'
import type { ZoneFiles } from '../zones/zone-files.ts'

/** A server that answers from zone files over UDP, on the core that is reserved for it. */
export interface Server {
  readonly name: string
  start(site: Site): Promise<RunningServer>
}

/** Where a server runs, and what it serves. */
export interface Site {
  /** An empty folder of its own. */
  readonly folder: string
  readonly port: number
  readonly zones: ZoneFiles
}

export interface RunningServer extends Running {
  readonly port: number
}

/** A hundred thousand zone files take this long to load. */
const startTimeoutMs = 60_000

/** Starts a server's program on its core, and waits until it answers any query. */
export async function runServer(command: string, args: readonly string[], port: number): Promise<RunningServer> {
  const running = await runPeer(...onCore(serverCore, command, args), `127.0.0.1:${port}`, startTimeoutMs)
  return { ...running, port }
}

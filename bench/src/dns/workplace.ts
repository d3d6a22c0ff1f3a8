import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/local/addresses.ts'
import { dnsPrograms } from '../../../tools/local/dns-programs.ts'
import { loadCore, moveTo, ownCores } from './cores.ts'
import { LoadProcess } from './load/load-process.ts'
import { type CheckedQuery, writeQueries } from './load/query-file.ts'
import type { RunningServer, Server } from './servers/server.ts'
import { untilAnswered } from './until-answered.ts'
import { onceEach } from './zones/questions.ts'
import type { ZoneFiles } from './zones/zone-files.ts'
import type { ZoneSet } from './zones/zone-set.ts'

/** A server that answers for all its zones. */
export interface StartedServer extends RunningServer {
  /** The time from its start until it answered for the last zone. */
  readonly startSeconds: number
}

/** The environment of a nameserver bench: its folder, its load, and the servers that it has started. */
export class Workplace {
  readonly folder: string
  readonly load: LoadProcess
  readonly #ends: (() => Promise<void>)[] = []

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'))
    this.load = new LoadProcess()
  }

  /** Runs the work with installed peers, and with other programs, and cleans up afterwards. @throws ProgramsMissing */
  static async open<T>(
    work: (place: Workplace) => Promise<T>,
    programs: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<T> {
    Object.assign(process.env, dnsPrograms(programs))
    return await Workplace.openAlone(work)
  }

  /** The same without peers. */
  static async openAlone<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
    const cores = ownCores()
    moveTo(String(loadCore))
    const place = new Workplace()
    try {
      return await work(place)
    } finally {
      await Promise.all([place.load.stop(), ...place.#ends.map((end) => end())])
      rmSync(place.folder, { recursive: true, force: true })
      // Later benches, and the programs that they start, can use both cores again.
      moveTo(cores)
    }
  }

  newFolder(name: string): string {
    const folder = join(this.folder, name)
    mkdirSync(folder)
    return folder
  }

  queries(name: string, queries: Iterable<CheckedQuery>): string {
    const file = join(this.folder, `${name}.queries`)
    writeQueries(file, queries)
    return file
  }

  /** Starts a server on a free port; it is stopped at the end. */
  async launch(begin: (port: number) => Promise<RunningServer>): Promise<RunningServer> {
    const server = await begin(await freePort())
    this.#ends.push(() => server.stop())
    return server
  }

  /** The same, and measures when it answers for the last zone. */
  async launchTimed(begin: (port: number) => Promise<RunningServer>, { count }: ZoneSet): Promise<StartedServer> {
    let startSeconds: Promise<number> | undefined
    const server = await this.launch((port) => {
      const beganMs = performance.now()
      startSeconds = untilAnswered(port, count - 1).then(() => (performance.now() - beganMs) / 1000)
      return begin(port)
    })
    return { ...server, startSeconds: (await startSeconds) ?? Number.NaN }
  }

  /** Starts a server from zone files, and waits until it answers for every zone; `name` is that of its folder. */
  async start(server: Server, zones: ZoneFiles, name = server.name): Promise<StartedServer> {
    const folder = this.newFolder(name)
    const started = await this.launchTimed((port) => server.start({ folder, port, zones }), zones)
    await this.untilComplete(started, zones)
    return started
  }

  /** Queries every zone once, until all answers are right. */
  untilComplete({ port }: RunningServer, zones: ZoneSet): Promise<void> {
    return this.untilRight(port, this.queries(`every-zone-${zones.count}`, onceEach(zones)))
  }

  /** Sends the queries of a file repeatedly, until all answers are right. */
  async untilRight(port: number, queries: string, timeoutMs = 60_000): Promise<void> {
    const endMs = performance.now() + timeoutMs
    while (performance.now() < endMs) {
      const { wrong } = await this.load.run({ queries, port, seconds: 'once' })
      if (wrong === 0) return
    }
    throw new Error(`port ${port} did not get all right`)
  }
}

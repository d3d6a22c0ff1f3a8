import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/local/addresses.ts'
import { dnsPrograms } from '../../../tools/local/dns-programs.ts'
import { LoadProcess } from './load/load-process.ts'
import { type CheckedQuery, writeQueries } from './load/query-file.ts'
import type { RunningServer, Server } from './servers/server.ts'
import { onceEach } from './zones/questions.ts'
import type { ZoneFiles } from './zones/zone-files.ts'

/** Where a bench of nameservers takes place: its folder, its load, and the servers that it has started. */
export class Workplace {
  readonly folder: string
  readonly load: LoadProcess
  readonly #ends: (() => Promise<void>)[] = []

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'))
    this.load = new LoadProcess()
  }

  /** Does the work, and leaves nothing behind. @throws ProgramsMissing */
  static async open<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
    Object.assign(process.env, dnsPrograms())
    const place = new Workplace()
    try {
      return await work(place)
    } finally {
      await place.load.stop()
      await Promise.all(place.#ends.map((end) => end()))
      rmSync(place.folder, { recursive: true, force: true })
    }
  }

  /** Whatever else has to be stopped. */
  atEnd(end: () => Promise<void>): void {
    this.#ends.push(end)
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

  /** Starts a server, and waits until it answers for every zone. */
  async start(server: Server, zones: ZoneFiles): Promise<RunningServer> {
    const running = await server.start({ folder: this.newFolder(server.name), port: await freePort(), zones })
    this.atEnd(() => running.stop())
    return running
  }

  /** Asks for every zone once, until all are answered right. */
  async untilComplete(server: RunningServer, zones: ZoneFiles): Promise<void> {
    const queries = this.queries('every-zone', onceEach(zones))
    for (let wrong = 1; wrong > 0; ) {
      const result = await this.load.run({ queries, port: server.port, seconds: 'once' })
      wrong = result.wrong
    }
  }
}

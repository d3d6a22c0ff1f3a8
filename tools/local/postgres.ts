import { setTimeout as delay } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'

/** The installation's PostgreSQL, which restarts on its port whenever it ends unexpectedly. */
export class KeptPostgres {
  readonly #dataDir: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #log = createLogger('postgres', 'warn')
  #onRestart = (): void => undefined
  #server: EmbeddedPostgres | undefined
  #stopping = false

  constructor(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
    this.#dataDir = dataDir
    this.#settings = settings
  }

  get pid(): number | undefined {
    return this.#server?.pid
  }

  /** `hear` is called whenever it has restarted, with another process id. */
  onRestart(hear: () => void): void {
    this.#onRestart = hear
  }

  /** Starts it, or adopts the one that a killed parent left; returns its URL. After a stop and a start, it has the same URL. */
  async start(): Promise<string> {
    this.#stopping = false
    this.#server = await this.#launch(this.#server)
    this.#keepRunning(this.#server)
    return this.#server.url
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#server?.stop()
  }

  /** Removes the cluster and all its data, once it is stopped. */
  async erase(): Promise<void> {
    await this.#server?.erase()
  }

  #launch(before?: EmbeddedPostgres): Promise<EmbeddedPostgres> {
    const options = { settings: this.#settings, ...(before && { port: Number(new URL(before.url).port) }) }
    return startEmbeddedPostgres(this.#dataDir, this.#log, options)
  }

  async #keepRunning(server: EmbeddedPostgres): Promise<void> {
    await server.ended
    while (!this.#stopping) {
      try {
        this.#server = await this.#launch(server)
        this.#onRestart()
        return this.#keepRunning(this.#server)
      } catch (error) {
        this.#log.error({ err: error }, 'PostgreSQL could not be started again')
        await delay(1_000)
      }
    }
  }
}

import pg from 'pg'
import { CannotStart } from '../cannot-start.ts'
import { type DatabaseHost, type DatabaseUrl, hostText, parseDatabaseUrl } from '../settings/database-url.ts'
import { askHosts, chooseLeader, type HostReport, noLeader, readOnly, readOnlyState, statusFault } from './ask-host.ts'
import { breakConnection, onErrorCode } from './pg-internals.ts'
import { poolerFault } from './pooler.ts'

/**
 * Finds the host of DATABASE_URL that accepts writes: libpq's `target_session_attrs=read-write`. Replace this file once pg has that.
 *
 * If a connection fails, is lost or gets error 25006, all hosts are queried again. When another host leads, connections to the former one are broken,
 * which empties pools. Each connection resolves its host's name, so addresses may change. A single host that is not a standby is also used while it
 * is set to read-only.
 */
export class LeaderHost {
  /** A `pg.Client` that connects to the leader, and not to a standby (25006, an outage). */
  readonly Client: typeof pg.Client
  /** Warns the operator, in one sentence, of a fault that does not stop the service. */
  readonly warn: (sentence: string) => void
  /**
   * Whether a transaction pooler that is placed in front of PostgreSQL later counts as an outage. Each new connection then needs an additional round
   * trip.
   */
  refusesPoolers = false
  readonly #url: DatabaseUrl
  readonly #open = new Map<pg.Client, DatabaseHost>()
  readonly #said = new Set<string>()
  #leader: DatabaseHost | undefined
  #search: Promise<DatabaseHost> | undefined
  /** The first leader's `system_identifier`: hosts of other clusters are never used. */
  #cluster: string | undefined

  constructor(url: string, warn: (sentence: string) => void = () => undefined) {
    this.#url = parseDatabaseUrl(url)
    this.warn = (sentence) => {
      if (!this.#said.has(sentence)) warn(sentence)
      this.#said.add(sentence)
    }
    const { connection } = this.#url
    const connectToLeader = (client: pg.Client, connect: () => Promise<pg.Client>) => this.#connect(client, connect)
    // pg's pool calls it with a callback.
    this.Client = class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...connection, ...config })
      }
      override connect(callback?: ((error: Error) => void) | ((error: null, client: pg.Client) => void)) {
        const connected = connectToLeader(this, () => super.connect())
        const told = callback as ((error: Error | null) => void) | undefined
        connected.then(() => told?.(null), told ?? (() => undefined))
        return connected
      }
    }
  }

  static of(address: string | LeaderHost): LeaderHost {
    return typeof address === 'string' ? new LeaderHost(address) : address
  }

  async #connect(client: pg.Client, connect: () => Promise<pg.Client>): Promise<pg.Client> {
    const host = this.#leader ?? (await this.#find())
    const fault = statusFault(Object.assign(client, host))
    client.on('error', () => this.#lose(host)).on('end', () => this.#open.delete(client))
    onErrorCode(client, readOnlyState, () => this.#lose(host, true))
    await connect().catch((error: unknown) => {
      this.#lose(host)
      throw error
    })
    this.#open.set(client, host)
    const isReadable = this.#url.hosts.length === 1 && fault() === readOnly
    const another = (settings: pg.ClientConfig) => new pg.Client({ ...this.#url.connection, ...host, ...settings })
    const why =
      (isReadable ? undefined : (fault() ?? ((this.#leader ?? host) === host ? undefined : 'no longer leads'))) ??
      (this.refusesPoolers ? await poolerFault(client, another) : undefined)
    if (why === undefined) return client
    this.#lose(host, true)
    throw noLeader(`${hostText(host)} ${why}`)
  }

  #lose(host: DatabaseHost, isReadOnly = false): void {
    if (isReadOnly) this.#breakAll((each) => each === host)
    if (this.#leader !== host) return
    this.#leader = undefined
    this.#find().catch(() => undefined)
  }

  #breakAll(which: (host: DatabaseHost) => boolean): void {
    for (const [client, host] of this.#open) if (which(host)) breakConnection(client)
  }

  #find(): Promise<DatabaseHost> {
    const [only, ...others] = this.#url.hosts
    if (only !== undefined && others.length === 0) return Promise.resolve(only)
    this.#search ??= this.#ask().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #ask(): Promise<DatabaseHost> {
    // The first time, wait for all hosts, because the first one must not belong to another cluster.
    const leader = this.#choose(await askHosts(this.#url, this.#cluster === undefined))
    this.#cluster ??= leader.cluster
    this.#leader = leader.host
    this.#breakAll((host) => host !== leader.host)
    return leader.host
  }

  #choose(reports: readonly HostReport[]): HostReport {
    const { leader, rival, foreign } = chooseLeader(reports, this.#cluster)
    const mixed = `DATABASE_URL: ${foreign.map(({ host }) => hostText(host)).join(' and ')} and the other hosts are of different clusters (system_identifier); remove the wrong ones.`
    if (foreign.length > 0 && this.#cluster === undefined) throw new CannotStart(mixed)
    if (foreign.length > 0) this.warn(mixed)
    const faults = reports.map(({ host, fault }) => `${hostText(host)} ${fault ?? 'is of another cluster'}`)
    if (leader === undefined)
      throw noLeader(
        `no host of DATABASE_URL accepts writes: ${faults.join('; ')}`,
        reports.some(({ isReached }) => isReached),
      )
    if (rival)
      this.warn(`DATABASE_URL: ${hostText(rival.host)} also accepts writes, as ${hostText(leader.host)} does; stop it.`)
    return leader
  }
}

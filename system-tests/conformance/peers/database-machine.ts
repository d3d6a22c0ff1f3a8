import type { ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { blockOf, type MachineName, type MachinesPlace, machineNames } from './machines-place.ts'

/** The password of every role. */
export const rolePassword = 'conformance'
/** Three members share the processors and the disk of one machine with everything else, and must not lose their leader because of this. */
const patientEtcd = { ETCD_HEARTBEAT_INTERVAL: '500', ETCD_ELECTION_TIMEOUT: '5000' }

/** A machine with etcd, Patroni and PostgreSQL, set up with the blocks of docs/runbooks/high-availability.md. */
export class DatabaseMachine {
  readonly name: MachineName
  /** Where PostgreSQL listens, as host:port. */
  readonly host: string
  /** The REST API of its Patroni. */
  readonly patroniUrl: string
  /** The file with Patroni's configuration. */
  readonly config: string
  readonly #place: MachinesPlace
  readonly #folder: string
  readonly #toEtcd: readonly Proxy[]
  readonly #fromStandbys: Proxy
  #patroni: ChildProcess | undefined

  private constructor(place: MachinesPlace, name: MachineName, toEtcd: readonly Proxy[], fromStandbys: Proxy) {
    this.name = name
    this.host = place.addressOf(name, 'postgres')
    this.patroniUrl = `http://${place.addressOf(name, 'patroni')}`
    this.#place = place
    this.#folder = join(place.folder, name)
    this.config = join(this.#folder, 'config.yml')
    this.#toEtcd = toEtcd
    this.#fromStandbys = fromStandbys
    mkdirSync(this.#folder)
    writeFileSync(this.config, this.#patroniSettings(), { mode: 0o600 })
    if (place.runAs) for (const path of [this.#folder, this.config]) chownSync(path, place.runAs.uid, place.runAs.gid)
  }

  /** Makes a machine on which only etcd runs. */
  static async withEtcd(place: MachinesPlace, name: MachineName): Promise<DatabaseMachine> {
    const settings = etcdSettings(place, name).trim().split('\n')
    const env = Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2)))
    place.launch('etcd', [], { ...env, ...patientEtcd, ETCD_DATA_DIR: join(place.folder, `etcd-${name}`) })
    const toEtcd = await Promise.all(machineNames.map((peer) => place.proxyTo(place.addressOf(peer, 'etcd'))))
    return new DatabaseMachine(place, name, toEtcd, await place.proxyTo(place.addressOf(name, 'postgres')))
  }

  /** Starts Patroni, which starts PostgreSQL. */
  start(): void {
    // With `use_proxies`, Patroni uses only the addresses of etcd in its configuration.
    const env = { HOME: this.#folder, PATRONI_ETCD3_USE_PROXIES: 'true' }
    this.#patroni = this.#place.launch('patroni', [this.config], env, this.#place.runAs)
  }

  /** Sends SIGKILL to Patroni, PostgreSQL and all its processes. */
  kill(): void {
    this.#patroni?.kill('SIGKILL')
    const postmaster = this.#postmaster()
    if (postmaster === undefined) return
    for (const pid of [postmaster, ...childrenOf(postmaster)]) killIfThere(pid)
  }

  /** Cuts Patroni off from etcd, or lets it reach etcd again. */
  reachEtcd(isReached: boolean): void {
    for (const proxy of this.#toEtcd) isReached ? proxy.open() : proxy.shut()
  }

  /** Cuts the standbys off from this PostgreSQL, or lets them follow it again. */
  replicate(isFollowed: boolean): void {
    isFollowed ? this.#fromStandbys.open() : this.#fromStandbys.shut()
  }

  /** Runs a statement as the superuser. */
  async query<T extends pg.QueryResultRow>(text: string, database = 'zonewright'): Promise<T[]> {
    const connectionString = `postgres://postgres:${rolePassword}@${this.host}/${database}`
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 10_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<T>(text)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  #patroniSettings(): string {
    return blockOf('patroni', {
      'name: db1': `name: ${this.name}`,
      '0.0.0.0:8008': this.#place.addressOf(this.name, 'patroni'),
      'db1:8008': this.#place.addressOf(this.name, 'patroni'),
      'db1:2379,db2:2379,db3:2379': this.#toEtcd.map(({ address }) => address).join(','),
      '0.0.0.0:5432': this.host,
      'db1:5432': this.#fromStandbys.address,
      '/var/lib/postgresql/zonewright': join(this.#folder, 'data'),
      '/usr/lib/postgresql/15/bin': this.#place.bin,
      '/var/run/postgresql': this.#folder,
      'CHANGE-ME': rolePassword,
    })
  }

  /** Read from the file that PostgreSQL leaves behind when it is killed, so another process may have its number by now. */
  #postmaster(): number | undefined {
    const file = join(this.#folder, 'data', 'postmaster.pid')
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    const command = pid > 1 && existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
    return command.includes(this.#folder) ? pid : undefined
  }
}

type Proxy = Awaited<ReturnType<MachinesPlace['proxyTo']>>

function etcdSettings(place: MachinesPlace, name: MachineName): string {
  const urlOf = (each: MachineName, port: 'etcd' | 'peers') => `http://${place.addressOf(each, port)}`
  return blockOf('etcd', {
    'ETCD_NAME=db1': `ETCD_NAME=${name}`,
    ...Object.fromEntries(
      machineNames.map((peer) => [`${peer}=http://${peer}:2380`, `${peer}=${urlOf(peer, 'peers')}`]),
    ),
    'http://db1:2380': urlOf(name, 'peers'),
    'http://0.0.0.0:2380': urlOf(name, 'peers'),
    'http://db1:2379': urlOf(name, 'etcd'),
    'http://0.0.0.0:2379': urlOf(name, 'etcd'),
  })
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

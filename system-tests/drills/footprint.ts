import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Series } from '../../tools/local/steady-state.ts'

/** A process of an installation. */
export interface Measured {
  readonly name: string
  readonly pid: () => number | undefined
  /** `host:port` of its metrics. */
  readonly metrics: string
  readonly log: string
  /** The folder of its store. */
  readonly store?: string
}

const mib = 2 ** 20
/** How a figure is judged. */
type Rule = Pick<Series, 'by' | 'margin'>
/** The margin for half an hour. A leak of 1 MiB a minute is almost twice as much. */
const memory: Rule = { by: 'lowest', margin: { share: 0.05, amount: 16 } }
/** Figures that say which memory grows. Those of a nameserver are not those of the other processes. */
const memoryFigures = [
  ['JavaScript heap', /^(?:nodejs_heap_size|zonewright_nameserver_heap)_used_bytes (\S+)$/m],
  ['outside the heap', /^(?:nodejs_external_memory|zonewright_nameserver_external)_bytes (\S+)$/m],
  ['tables', /^zonewright_nameserver_table_bytes\{part="used"\} (\S+)$/m],
] as const
/** Connections and files are opened for a moment and closed again. */
const few: Rule = { by: 'lowest', margin: { share: 0, amount: 12 } }
const threads: Rule = { by: 'lowest', margin: { share: 0, amount: 1 } }
const onDisk: Rule = { by: 'lowest', margin: { share: 0.1, amount: 8 } }
/** The load itself adds a few rows, such as those of the domains that it buys. */
const rows: Rule = { by: 'lowest', margin: { share: 0.1, amount: 20 } }
const logged: Rule = { by: 'median', margin: { share: 0.5, amount: 4 } }

/** Tables that keep history, and grow with every change. */
const history = [
  'audit_log',
  'catalog_journal',
  'events',
  'webhook_attempts',
  'webhook_deliveries',
  'zone_changes',
  'zone_journal',
]
/** Tables that keep rows for an hour or longer: of deleted zones, of revoked keys, of codes, of emails, and of completed jobs. */
const kept = ['account_used_codes', 'api_key_windows', 'api_keys', 'mails', 'pgboss.job', 'zone_delegations', 'zones']

/**
 * The resources of an installation: memory, threads, files and connections of its processes, rows and bytes of its tables, and what it writes to
 * its logs. Each call of `measure` adds a sample to each figure.
 */
export class Footprint {
  readonly #processes: readonly Measured[]
  readonly #database: pg.Client
  readonly #tables: readonly string[]
  readonly #series = new Map<string, Rule & { unit: string; samples: number[] }>()
  /** The lowest reading of memory since the last sample, by figure. */
  readonly #lowest = new Map<string, number>()
  readonly #logs = new Map<string, number>()

  private constructor(processes: readonly Measured[], database: pg.Client, tables: readonly string[]) {
    this.#processes = processes
    this.#database = database
    this.#tables = tables
  }

  static async of(processes: readonly Measured[], ownerUrl: string): Promise<Footprint> {
    const database = new pg.Client({ connectionString: ownerUrl })
    // The installation stops its PostgreSQL first.
    database.on('error', () => undefined)
    await database.connect()
    const { rows: tables } = await database.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
       order by 1`,
    )
    return new Footprint(
      processes,
      database,
      tables.map(({ name }) => name).filter((name) => !history.includes(name)),
    )
  }

  get series(): Series[] {
    return [...this.#series].map(([name, rest]) => ({ name, ...rest }))
  }

  note(name: string, unit: string, rule: Rule, value: number): void {
    const series = this.#series.get(name) ?? { unit, ...rule, samples: [] }
    series.samples.push(value)
    this.#series.set(name, series)
  }

  /** Reads the memory of each process. Call it many times for each sample, because garbage is collected only now and then. */
  async readMemory(): Promise<void> {
    for (const { name, pid, metrics } of this.#processes) {
      this.#read(`${name}: memory`, anonymousKiB(pid()) / 1_024)
      const text = await (await fetch(`http://${metrics}/metrics`)).text()
      for (const [what, pattern] of memoryFigures) {
        const [, bytes] = pattern.exec(text) ?? []
        if (bytes !== undefined) this.#read(`${name}: ${what}`, Number(bytes) / mib)
      }
    }
  }

  #read(name: string, value: number): void {
    this.#lowest.set(name, Math.min(value, this.#lowest.get(name) ?? Infinity))
  }

  async measure(): Promise<void> {
    for (const { name, pid, log, store } of this.#processes) {
      const folder = `/proc/${pid()}`
      const status = readFileSync(`${folder}/status`, 'utf8')
      this.note(`${name}: open files`, '', few, readdirSync(`${folder}/fd`).length)
      this.note(`${name}: threads`, '', threads, statusOf(status, 'Threads'))
      const bytes = statSync(log).size
      this.note(`${name}: log since the last sample`, 'KiB', logged, (bytes - (this.#logs.get(name) ?? 0)) / 1_024)
      this.#logs.set(name, bytes)
      if (store !== undefined) this.note(`${name}: store`, 'MiB', onDisk, bytesIn(store) / mib)
    }
    for (const [name, value] of this.#lowest) this.note(name, 'MiB', memory, value)
    this.#lowest.clear()
    await this.#measureDatabase()
  }

  async #measureDatabase(): Promise<void> {
    const { rows: backends } = await this.#database.query<{ pid: number; is_client: boolean; age_s: number }>(
      `select pid, backend_type = 'client backend' as is_client, coalesce(extract(epoch from now() - xact_start), 0)::float as age_s
       from pg_stat_activity where pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'`,
    )
    const clients = backends.filter((each) => each.is_client)
    // A busy machine has more connections open at the same time, each of them with a process.
    const ownKiB = backends.map(({ pid }) => anonymousKiB(pid)).filter((kib) => !Number.isNaN(kib))
    const ownMiB = ownKiB.reduce((sum, kib) => sum + kib, 0) / 1_024 / ownKiB.length
    this.note('PostgreSQL: own memory of a process', 'MiB', { by: 'lowest', margin: { share: 0.1, amount: 1 } }, ownMiB)
    this.note('PostgreSQL: connections', '', few, clients.length)
    const oldestS = Math.max(...clients.map((each) => each.age_s))
    this.note('PostgreSQL: oldest transaction', 's', { by: 'lowest', margin: { share: 0, amount: 2 } }, oldestS)
    const counted = this.#tables.filter((table) => !kept.includes(table))
    const counts = counted.map((table) => `select '${table}' as name, count(*)::int as count from ${table}`)
    const { rows: found } = await this.#database.query<{ name: string; count: number }>(counts.join(' union all '))
    for (const { name, count } of found) this.note(`rows of ${name}`, '', rows, count)
    const { rows: sizes } = await this.#database.query<{ mib: number }>(
      'select sum(pg_total_relation_size(name::regclass))::float / 1048576 as mib from unnest($1::text[]) as t (name)',
      [this.#tables],
    )
    this.note('size of all tables but history', 'MiB', onDisk, sizes[0]?.mib ?? Number.NaN)
  }

  close(): Promise<void> {
    return this.#database.end()
  }
}

function statusOf(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1])
}

/**
 * Memory that only this process has: without files, which the system drops when it needs room, and the buffers that PostgreSQL's processes
 * share. NaN if the process has ended.
 */
function anonymousKiB(pid: number | undefined): number {
  try {
    return statusOf(readFileSync(`/proc/${pid}/status`, 'utf8'), 'RssAnon')
  } catch {
    return Number.NaN
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '@zonewright/service/migrate'
import { withDatabase } from '../database.ts'

const script = fileURLToPath(new URL('./change.sql', import.meta.url))

/**
 * The speed of PostgreSQL alone: transactions per second of pgbench, each of which writes what one change of one rrset writes.
 *
 * In a separate database on the same server, with the service's schema, so that nothing announces what it writes.
 */
export class Pgbench {
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  /** Creates its database next to the service's. */
  static async prepare(databaseUrl: string): Promise<Pgbench> {
    await withDatabase(databaseUrl, (client) => client.query('create database pgbench_changes'))
    const url = databaseUrl.replace(/[^/]+$/, 'pgbench_changes')
    await migrate(url)
    await withDatabase(url, async (client) => {
      await client.query(`insert into accounts (email) values ('pgbench@zonewright.test')`)
      await client.query(`insert into zones (name, account_id, state, origin, serial, catalog_label)
        select 'bench' || n || '.test', (select id from accounts), 'live', 'added', 1, n from generate_series(1, 96) n`)
      await client.query(
        `create table bench_zones as select row_number() over (order by name)::int as n, id from zones`,
      )
      await client.query('create unique index on bench_zones (n)')
      await client.query(`select ensure_partitions('audit_log', 'month', current_date, current_date + 1)`)
      await client.query('analyze')
    })
    const pgbench = new Pgbench(url)
    await pgbench.#pgbench(['-i', '-q', '-s', '32'])
    return pgbench
  }

  /** The same writes as one change. */
  perSecond(clients: number, seconds: number): Promise<number> {
    return this.#run(['-n', '-f', script], clients, seconds)
  }

  /** pgbench's own transactions, similar to TPC-B, which show how fast the machine is. */
  tpcbPerSecond(clients: number, seconds: number): Promise<number> {
    return this.#run(['-n'], clients, seconds)
  }

  async #run(what: readonly string[], clients: number, seconds: number): Promise<number> {
    const { stdout } = await this.#pgbench([
      ...what,
      '-M',
      'prepared',
      '-c',
      `${clients}`,
      '-j',
      '2',
      '-T',
      `${seconds}`,
    ])
    const rate = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench said no rate: ${stdout}`)
    return Number(rate)
  }

  #pgbench(args: readonly string[]): Promise<{ stdout: string }> {
    const { hostname, port, username, password, pathname } = new URL(this.#url)
    const env = {
      ...process.env,
      PGHOST: decodeURIComponent(hostname),
      PGPORT: port,
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGOPTIONS: '-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off',
    }
    return promisify(execFile)('pgbench', [...args, pathname.slice(1)], { env })
  }
}

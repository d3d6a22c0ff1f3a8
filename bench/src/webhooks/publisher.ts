import pg from 'pg'
import { now } from './receivers.ts'

/** A committed event, and the time at which the commit was known. */
export interface Committed {
  readonly id: string
  readonly account: string
  readonly atMs: number
}

/** Writes events as the service writes those that do not wait (`insertReleased`), each with the content of a small zone event. */
const insert = `
  insert into event_outbox (type, recipients, data, id, created_at)
  select 'zone.delegation_changed', array[account], data, id, at
  from unnest($1::uuid[]) as account
  cross join lateral (select new_id('evt', app_now()) as id, app_now() as at where account is not null) stamp
  cross join (select '{"zone":{"id":"00000000-0000-4000-8000-000000000000","name":"example.com"},"state":"live","previous_state":"waiting"}'::json as data) example
  returning id, recipients[1] as account`

/** Creates events: commits them durably, one or many in a transaction, and wakes the workers after each. */
export class Publisher {
  readonly #pool: pg.Pool

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 8, connectionTimeoutMillis: 5_000 })
    this.#pool.on('error', () => undefined)
  }

  async publish(accounts: readonly string[]): Promise<Committed[]> {
    const { rows } = await this.#pool.query<{ id: string; account: string }>({
      name: 'publish',
      text: insert,
      values: [accounts],
    })
    const atMs = now()
    await this.#pool.query({ name: 'wake', text: "select pg_notify('events_ready', '')" })
    return rows.map((row) => ({ ...row, atMs }))
  }

  /** This many events per second for this long, at random times, each in a transaction of its own. */
  async steadily(
    accounts: readonly string[],
    { perSecond, seconds }: { perSecond: number; seconds: number },
  ): Promise<Committed[]> {
    const sent: Promise<Committed[]>[] = []
    const end = performance.now() + seconds * 1_000
    for (let at = performance.now(); at < end; ) {
      at += (-Math.log(1 - Math.random()) * 1_000) / perSecond
      const waitMs = at - performance.now()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      sent.push(this.publish([accounts[Math.floor(Math.random() * accounts.length)] ?? '']))
    }
    return (await Promise.all(sent)).flat()
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, values)).rows
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

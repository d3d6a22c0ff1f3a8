import pg from 'pg'

/** A connection for as long as the work takes. */
export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Holds each commit back so long, as a slower disk would; 0: not at all. */
export async function setCommitDelay(url: string, microseconds: number): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query(`alter system set commit_delay = ${microseconds}`)
    await client.query('alter system set commit_siblings = 0')
    await client.query('select pg_reload_conf()')
  })
}

import pg from 'pg'

/** Opens a connection for the duration of the work. */
export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Delays each commit by this much, like a slower disk; 0: no delay. */
export async function setCommitDelay(url: string, microseconds: number): Promise<void> {
  await withDatabase(url, async (client) => {
    await client.query(`alter system set commit_delay = ${microseconds}`)
    await client.query('alter system set commit_siblings = 0')
    await client.query('select pg_reload_conf()')
  })
}

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { LeaderHost } from './leader-host.ts'
import { announcedProcess } from './pg-internals.ts'

/** How long a notification may take through a pooler. */
const heardWithinMs = 1_000

/**
 * What sits between this client and PostgreSQL. A pooler announces a process of its own at the start of a connection. In session mode a
 * client keeps its server process, and hears what it listens for; otherwise prepared statements, advisory locks and wake-ups are lost.
 */
export async function poolerBefore(
  client: pg.Client,
  leader: LeaderHost,
): Promise<'transaction' | 'session' | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid === announcedProcess(client)) return undefined
  const channel = `zonewright_pooler_${randomBytes(8).toString('hex')}`
  const heard = new Promise<'session'>((resolve) => {
    client.on('notification', (heard) => heard.channel === channel && resolve('session'))
  })
  await client.query(`listen ${channel}`)
  const other = new leader.Client({ connectionTimeoutMillis: heardWithinMs, query_timeout: heardWithinMs })
  other.on('error', () => undefined)
  try {
    await other.connect()
    await other.query(`notify ${channel}`)
  } catch {
    // A pooler without a second connection: it cannot be used either.
    return 'transaction'
  } finally {
    other.end().catch(() => undefined)
  }
  const late = new Promise<'transaction'>((resolve) => setTimeout(resolve, heardWithinMs, 'transaction'))
  return Promise.race([heard, late])
}

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { announcedProcess } from './pg-internals.ts'

export const transactionPooler =
  'DATABASE_URL points to a transaction pooler: notifications do not arrive. Connect directly to PostgreSQL, or set the pooler to session mode.'

export const sessionPooler =
  'DATABASE_URL points to a pooler in session mode: the service works, but the pooler may drop the timeouts that the service sets for its sessions. Connect directly to PostgreSQL.'

/** How long a notification may take through a pooler. */
const heardWithinMs = 1_000

/**
 * Detects a pooler between this client and PostgreSQL. A pooler announces its own process at the start of a connection. In session mode, a client
 * keeps its server process, and gets its notifications. In other modes, prepared statements, advisory locks and wake-ups are lost.
 *
 * @param another - creates another client of the same server, if there is a pooler
 */
export async function poolerBefore(
  client: pg.Client,
  another: (settings: pg.ClientConfig) => pg.Client,
): Promise<'transaction' | 'session' | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid === announcedProcess(client)) return undefined
  const channel = `zonewright_pooler_${randomBytes(8).toString('hex')}`
  const heard = Promise.withResolvers<'session'>()
  const onNotification = (message: pg.Notification): void => {
    if (message.channel === channel) heard.resolve('session')
  }
  client.on('notification', onNotification)
  await client.query(`listen ${channel}`)
  const other = another({ connectionTimeoutMillis: heardWithinMs, query_timeout: heardWithinMs })
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
  const isLate = delay(heardWithinMs, 'transaction' as const, { ref: false })
  const found = await Promise.race([heard.promise, isLate])
  if (found === 'session') {
    client.off('notification', onNotification)
    await client.query(`unlisten ${channel}`)
  }
  return found
}

/** Why a server cannot be used through the pooler in front of it; undefined if it can. */
export async function poolerFault(...between: Parameters<typeof poolerBefore>): Promise<string | undefined> {
  return (await poolerBefore(...between)) === 'transaction' ? 'is behind a transaction pooler' : undefined
}

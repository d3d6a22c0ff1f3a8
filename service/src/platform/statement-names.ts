import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

const maxNames = 600

const names = new Map<string, string>()

/**
 * Makes every parameterised statement that passes through the pool a named one, so that PostgreSQL parses and plans it
 * once a connection (measured on a whole PUT: 1,750/s named against 1,050/s unnamed).
 *
 * Past `maxNames` different texts the rest go unnamed: code that builds endless variants must not fill the server's memory.
 */
export function nameStatements(pool: Pool): Pool {
  pool.on('connect', (client) => nameStatementsOf(client))
  return pool
}

function nameStatementsOf(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
    if (typeof first !== 'string' || !Array.isArray(values)) return query(first, values, ...rest)
    const name = nameOf(first)
    return name === undefined ? query(first, values, ...rest) : query({ name, text: first, values }, ...rest)
  }) as typeof client.query
}

/** The name of a statement on every connection; undefined: it has none. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type Database, sql } from '#platform/postgres/index.ts'
import { currentAuthWork } from './auth-work.ts'

/**
 * Connects better-auth to PostgreSQL: each statement runs on its own, in the transaction of its request if there is one, otherwise on any free
 * connection. better-auth never holds a connection and begins no transaction (`transaction: false`).
 */
export function authDialect(database: Database): PostgresDialect {
  const query = (text: string, values: readonly unknown[]) => {
    const statement = sql.numbered(text, values)
    const work = currentAuthWork()
    return work ? work.run(statement) : database.db.run(statement)
  }
  const client = { query, release: () => undefined } as unknown as PostgresPoolClient
  const pool: PostgresPool = { connect: async () => client, end: async () => undefined, options: {} }
  return new PostgresDialect({ pool })
}

import type { Logger } from '../log.ts'
import { type Db, type Statement, sql } from '../postgres/index.ts'
import { Gauge, type Registry } from './metrics.ts'

/** Where figures of the whole installation are shown, and what they are read from. */
export interface FigureSource {
  readonly metrics: Registry
  readonly db: Db
  readonly log: Logger
}

/**
 * Shows figures of the whole installation: asked of the database, once for all of them, whenever `/metrics` is. Each has a name
 * and a help. While PostgreSQL is away they are NaN, and all others are told.
 */
export function showFromDatabase<const Name extends string>(
  { metrics, db, log }: FigureSource,
  helps: Readonly<Record<Name, string>>,
  read: (db: Db) => Promise<Readonly<Record<Name, number>> | undefined>,
): void {
  let reading: ReturnType<typeof read> | undefined
  const readOnce = (): ReturnType<typeof read> => {
    reading ??= read(db)
      .catch((error: unknown) => {
        log.debug({ err: error }, 'figures could not be read')
        return undefined
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  for (const name of Object.keys(helps) as Name[])
    new Gauge({
      name,
      help: helps[name],
      registers: [metrics],
      async collect() {
        this.set((await readOnce())?.[name] ?? Number.NaN)
      },
    })
}

/** SQL for how many seconds ago a moment was, such as `min(sent_at)`; 0 where that is null: nothing waits. */
export function ageS(moment: Statement): Statement {
  return sql`coalesce(extract(epoch from app_now() - ${moment}), 0)::float8`
}

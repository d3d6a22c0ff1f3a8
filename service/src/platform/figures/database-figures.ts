import type { Logger } from '../log.ts'
import type { Db } from '../postgres/index.ts'
import type { Metrics } from './metrics.ts'

/** Figures of the whole installation that one statement reads. */
export interface DatabaseFigures<Name extends string> {
  /** The help of each metric, by its name. */
  readonly helps: Readonly<Record<Name, string>>
  readonly read: (db: Db) => Promise<Readonly<Record<Name, number>> | undefined>
}

/**
 * Shows figures of the whole installation. They are read, once for all of them, at each request of `/metrics`. While PostgreSQL is away
 * they are NaN, and other metrics are shown.
 */
export function showFromDatabase<const Name extends string>(
  { metrics, db, log }: { readonly metrics: Metrics; readonly db: Db; readonly log: Logger },
  { helps, read }: DatabaseFigures<Name>,
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
    metrics.gauge({
      name,
      help: helps[name],
      async collect() {
        this.set((await readOnce())?.[name] ?? Number.NaN)
      },
    })
}

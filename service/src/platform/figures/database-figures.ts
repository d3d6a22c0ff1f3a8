import type { Logger } from '../log.ts'
import type { Db } from '../postgres/index.ts'
import type { Metrics } from './metrics.ts'

/** Figures of the whole installation that one statement reads. */
export interface DatabaseFigures<Name extends string> {
  /** The help of each metric, by its name. */
  readonly helps: Readonly<Record<Name, string>>
  readonly read: (db: Db) => Promise<Readonly<Record<Name, number>> | undefined>
}

/** Where figures of the whole installation are read, and where they are shown. */
interface Shown {
  readonly metrics: Metrics
  readonly db: Db
  readonly log: Logger
}

/**
 * Shows figures of the whole installation. They are read, once for all of them, at each request of `/metrics`. While PostgreSQL is away
 * they are NaN, and other metrics are shown.
 */
export function showFromDatabase<const Name extends string>(
  shown: Shown,
  { helps, read }: DatabaseFigures<Name>,
): void {
  const readOnce = readerFor(shown, read)
  for (const name of Object.keys(helps) as Name[])
    shown.metrics.gauge({
      name,
      help: helps[name],
      async collect() {
        this.set((await readOnce())?.[name] ?? Number.NaN)
      },
    })
}

/** Figures of the whole installation that one statement reads for each value of a label. */
export interface LabelledFigures {
  readonly label: string
  readonly values: readonly string[]
  /** The help of each metric, by its name. */
  readonly helps: Readonly<Record<string, string>>
  /** By value of the label, then by the name of the metric. */
  readonly read: (db: Db) => Promise<ReadonlyMap<string, Readonly<Record<string, number>>>>
}

/** The same as `showFromDatabase` for figures with a label. */
export function showByLabel(shown: Shown, { label, values, helps, read }: LabelledFigures): void {
  const readOnce = readerFor(shown, read)
  for (const [name, help] of Object.entries(helps))
    shown.metrics.gauge({
      name,
      help,
      labelNames: [label],
      async collect() {
        const figures = await readOnce()
        for (const value of values) this.set({ [label]: value }, figures?.get(value)?.[name] ?? Number.NaN)
      },
    })
}

/**
 * Returns a function for the gauges that show what `read` returns. Gauges that are collected at the same time share one read.
 * The function returns undefined while PostgreSQL is away.
 */
function readerFor<T>({ db, log }: Shown, read: (db: Db) => Promise<T>): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined
  return () => {
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
}

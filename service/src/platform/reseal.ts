import { type Db, sql } from './postgres/index.ts'
import { isBoxed, type SealedColumnName, sealedColumns } from './sealed-columns.ts'
import type { SecretBox } from './secrets.ts'

/** What seals the columns of the list. */
export interface Sealers {
  readonly box: SecretBox
  /** The same for the columns that better-auth seals. Throws when no key opens the value. */
  readonly renewedText: (sealed: string) => Promise<string>
}

/** How many values of a column `SECRET_KEY` seals, the fallback seals, and no key opens. `resealed`: those that were sealed again. */
export interface SealedCount {
  readonly column: SealedColumnName
  readonly current: number
  readonly former: number
  readonly unreadable: number
  readonly resealed: number
}

/** Rows that are read at once, and of which this many are written at the same time. */
const slice = 500
const atOnce = 8

/**
 * Seals every value that the fallback has sealed again with `SECRET_KEY`. Reads the columns of the list in slices, and writes each row alone and only
 * if its value is still the one that was read, so no other process waits for it. A repeat continues after a kill: it skips what is sealed with
 * `SECRET_KEY`. Returns the counts at the end; `told` gets those so far, after each slice.
 */
export async function reseal(
  db: Db,
  sealers: Sealers,
  told: (count: SealedCount) => void,
): Promise<readonly SealedCount[]> {
  const counts: SealedCount[] = []
  for (const column of columnNames) {
    let resealed = 0
    let count: SealedCount
    // Again for values that changed in the meantime, until none is left.
    do {
      count = await walk(db, sealers, column, told)
      resealed += count.resealed
    } while (count.former > 0)
    counts.push({ ...count, resealed })
  }
  return counts
}

/** Counts the values, and changes none. */
export async function countSealed(db: Db, sealers: Sealers): Promise<readonly SealedCount[]> {
  const counts: SealedCount[] = []
  for (const column of columnNames) counts.push(await walk(db, sealers, column))
  return counts
}

const columnNames = Object.keys(sealedColumns) as SealedColumnName[]
const firstIds = { text: '', bigint: '-1', uuid: '00000000-0000-0000-0000-000000000000' } as const

type Value = string | Buffer | readonly Buffer[]

/** One pass. With `told`, values are sealed again; `former` is then the number of those that another transaction has changed in the meantime. */
async function walk(
  db: Db,
  sealers: Sealers,
  column: SealedColumnName,
  told?: (count: SealedCount) => void,
): Promise<SealedCount> {
  const count = { column, current: 0, former: 0, unreadable: 0, resealed: 0 }
  const { id, idType, ...rest } = sealedColumns[column]
  const [table = '', name = ''] = column.split('.')
  const at = { table: sql.table(table), name: sql.ref(name), id: sql.ref(id), type: sql.raw(idType) }
  let after: string = firstIds[idType]
  for (;;) {
    const { rows } = await sql<{ id: string; of: string; value: Value }>`
      select ${at.id}::text as id, ${'of' in rest ? sql.ref(rest.of) : at.id}::text as of, ${at.name} as value from ${at.table}
      where ${at.name} is not null and ${at.id} > ${after}::${at.type} order by ${at.table}.${at.id} limit ${slice}`.execute(
      db,
    )
    for (let i = 0; i < rows.length; i += atOnce)
      await Promise.all(
        rows.slice(i, i + atOnce).map(async (row) => {
          const value = await renewed(sealers, column, row)
          if (value === undefined) count.unreadable++
          else if (value === row.value) count.current++
          else if (told !== undefined && (await write(row, value))) {
            count.resealed++
            count.current++
          } else count.former++
        }),
      )
    if (rows.length > 0) told?.({ ...count })
    if (rows.length < slice) return count
    after = rows.at(-1)?.id ?? after
  }

  /** False: the value has changed, or the row no longer exists. */
  async function write(row: { readonly id: string; readonly value: Value }, value: Value): Promise<boolean> {
    const { rows } = await sql`update ${at.table} set ${at.name} = ${value}
      where ${at.id} = ${row.id}::${at.type} and ${at.name} = ${row.value} returning 1`.execute(db)
    return rows.length > 0
  }
}

/** The same value, if `SECRET_KEY` has sealed it; undefined: no key opens it. */
async function renewed(
  { box, renewedText }: Sealers,
  column: SealedColumnName,
  { of, value }: { readonly of: string; readonly value: Value },
): Promise<Value | undefined> {
  try {
    if (typeof value === 'string') return await renewedText(value)
    if (!isBoxed(column)) return undefined
    if (Buffer.isBuffer(value)) return box.renewed(column, of, value)
    const values = value.map((each) => box.renewed(column, of, each))
    return values.every((each, i) => each === value[i]) ? value : values
  } catch {
    return undefined
  }
}

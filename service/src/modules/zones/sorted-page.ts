import { maxPageSize } from '@zonewright/contract'
import { type Statement, sql } from '#platform/postgres/index.ts'

/** Which page of a sorted list is wanted. */
export interface SortedWish {
  /** A member, with a minus sign for the reverse order. */
  readonly sort: string
  readonly limit: number
  /** The `place` of the row after which to continue. */
  readonly after?: readonly string[] | undefined
}

/** Where a row of a sorted list is: the cursor of the list. */
export interface SortedPlace {
  readonly id: string
  readonly name: string
  /** The member by which the list is sorted, as a text; empty if the list is sorted by name. */
  readonly sortKey: string
}

/**
 * The ids of up to `limit` + 1 rows of a table, in order, as rows of `SortedPlace`.
 *
 * `row` is the alias of the table in `from`. Each of `branches` is a set of conditions. No row may be in two branches. `keys` are the members by
 * which the list can be sorted besides `name`, as texts or null.
 *
 * Sorted by name, each branch reads at most one page, in the order of an index that begins with the name. In any other order it reads all rows of
 * the branch, of which the limits of an account are the bound.
 */
export function sortedPage(
  table: { readonly row: Statement; readonly from: Statement; readonly keys: Readonly<Record<string, Statement>> },
  branches: readonly (readonly Statement[])[],
  wish: SortedWish,
): Statement<SortedPlace> {
  const { by, direction } = orderOf(wish.sort)
  const places = branches.map((conditions) => branch(table, conditions, wish))
  return sql<SortedPlace>`
    select id::text, name, "sortKey" from (${sql.join(places, sql` union all `)}) found
    order by ${by === 'name' ? sql`` : sql`"sortKey" ${direction},`} name ${direction}, id ${direction} limit ${wish.limit + 1}`
}

/** The values of a cursor behind the order of the list, and what they are the forms of. */
export function cursorOf(sort: string, { sortKey, name, id }: SortedPlace): string[] {
  return sort === 'name' ? [name, id] : [sort, sortKey, name, id]
}

/** With an unknown length, the index would not be used. */
const longestPage = sql.lit(maxPageSize + 1)

function branch(
  { row, from, keys }: Parameters<typeof sortedPage>[0],
  conditions: readonly Statement[],
  { sort, after }: SortedWish,
): Statement {
  const { by, direction, unknown } = orderOf(sort)
  const isBehind = direction === ascending ? sql`>` : sql`<`
  const key = keys[by]
  if (key === undefined) {
    const [name, id] = after?.slice(-2) ?? []
    // The first of the two conditions finds the start in the index.
    const start =
      after === undefined
        ? []
        : [
            sql`${row}.name ${isBehind}= ${name}`,
            sql`(${row}.name, ${row}.id::text collate "C") ${isBehind} (${name}, ${id})`,
          ]
    return sql`(
      select ${row}.id, ${row}.name, '' as "sortKey" from ${from} where ${sql.join([...conditions, ...start], sql` and `)}
      order by ${row}.name ${direction}, ${row}.id ${direction} limit ${longestPage})`
  }
  const [, lastKey, name, id] = after ?? []
  const start =
    after === undefined
      ? []
      : [sql`(k."sortKey", ${row}.name, ${row}.id::text collate "C") ${isBehind} (${lastKey}, ${name}, ${id})`]
  return sql`(
    select ${row}.id, ${row}.name, k."sortKey" from ${from}
    cross join lateral (select coalesce(${key}, ${unknown}) collate "C" as "sortKey" offset 0) k
    where ${sql.join([...conditions, ...start], sql` and `)}
    order by k."sortKey" ${direction}, ${row}.name ${direction}, ${row}.id ${direction} limit ${longestPage})`
}

const ascending = sql`asc`
const descending = sql`desc`

/** Unknown values come last: after all digits and letters, or before them. */
function orderOf(sort: string): { by: string; direction: Statement; unknown: Statement } {
  return sort.startsWith('-')
    ? { by: sort.slice(1), direction: descending, unknown: sql`''` }
    : { by: sort, direction: ascending, unknown: sql`'~'` }
}

/** A time as a sort key. */
export function instantKey(at: Statement): Statement {
  return sql`to_char(${at} at time zone 'UTC', 'YYYYMMDDHH24MISSUS')`
}

import { type Statement, sql } from './db.ts'

/**
 * Rows that travel with a statement, to select from under an alias:
 *
 *     const places = recordset('now', 'id uuid, serial bigint')
 *     sql`update zones z set serial = now.serial from ${places(rows)} where z.id = now.id`
 *
 * What a row leaves out is null. Many rows travel as one text of JSON, however many they are, so that the statement stays the same. A lone
 * row, which is what most changes, deliveries and orders have, travels as a parameter for each column: PostgreSQL makes a table of names
 * for every row of JSON that it takes apart, which was a third of its work for a change of one rrset (measured: 234 to 279 µs, and 155
 * to 213 µs so). Sixteen changes as JSON cost 0.6 of sixteen statements of a row.
 *
 * `columns` are names and types as SQL has them. Where recordsets are parts of one statement, whoever makes it says of all whether they are
 * lone: each by itself would double the texts that it may have, and only so many are named (`nameStatements`).
 */
export function recordset(alias: string, columns: string): (rows: readonly object[], isLone?: boolean) => Statement {
  const all = columns.split(',').map(readColumn)
  const casts = all.map(({ name, type }) => `::${type} as "${name}"`)
  const loneRow = fragments([
    '(select ',
    ...casts.slice(0, -1).map((cast) => `${cast}, `),
    `${casts.at(-1)}) as ${alias}`,
  ])
  const manyRows = fragments(['json_to_recordset(', `::json) as ${alias}(${columns})`])
  return (rows, isLone = rows.length === 1) => {
    const [row] = rows as readonly Readonly<Record<string, unknown>>[]
    if (row === undefined || !isLone) return sql(manyRows, JSON.stringify(rows))
    return sql(loneRow, ...all.map(({ name, type }) => toParameter(row[name] ?? null, type)))
  }
}

function readColumn(text: string): { name: string; type: string } {
  const [, name, type] = /^\s*("\w+"|\w+) (\w+(?:\[\])?)\s*$/.exec(text) ?? []
  if (name === undefined || type === undefined) throw new SyntaxError(`${text} is not a column's name and type`)
  return { name: name.replaceAll('"', ''), type }
}

/** By itself a value comes to be what it comes to be as a member of JSON. */
function toParameter(value: unknown, type: string): unknown {
  if (type === 'json' && value !== null) return JSON.stringify(value)
  return value instanceof Date ? value.toISOString() : value
}

function fragments(texts: readonly string[]): TemplateStringsArray {
  return Object.assign([...texts], { raw: texts })
}

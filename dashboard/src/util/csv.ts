/** A value of a table. */
type Cell = string | number | boolean | null

/** A table as CSV (RFC 4180): a line with the names of the columns, and one for each row. */
export function csvOf<T>(rows: readonly T[], columns: Readonly<Record<string, (row: T) => Cell>>): string {
  const cells = Object.values(columns)
  const lines = rows.map((row) => cells.map((cellOf) => cell(cellOf(row))).join(','))
  return [Object.keys(columns).join(','), ...lines, ''].join('\r\n')
}

function cell(value: Cell): string {
  if (value === null) return ''
  const text = String(value)
  // A spreadsheet must not interpret a text as a formula. Numbers are safe.
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Pages of one table (RFC 4180), each with the names of its columns, as one table. */
export function joinTables(pages: readonly string[]): string {
  return pages.map((page, i) => (i === 0 ? page : page.slice(page.indexOf('\r\n') + 2))).join('')
}

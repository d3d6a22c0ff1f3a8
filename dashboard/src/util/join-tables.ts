/** Joins the pages of one table (RFC 4180), each with a header, into one table. */
export function joinTables(pages: readonly string[]): string {
  return pages.map((page, i) => (i === 0 ? page : page.slice(page.indexOf('\r\n') + 2))).join('')
}

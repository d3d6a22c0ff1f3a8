import { refusalOf } from '#platform/errors.ts'
import type { Answer } from './call.ts'

/** Where a page ended, as an opaque text: the values of the sort key of its last row. */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** The form of a value of a cursor: PostgreSQL takes whatever has it for what it stands for. */
export interface CursorForm {
  test(value: string): boolean
}

export const wholeNumber: CursorForm = /^\d{1,15}$/
export const uuid: CursorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const anyText: CursorForm = /^[^\0]*$/

const instantShape = /^(?!0000)(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d)?$/

/** As PostgreSQL writes a timestamptz, and one that there is: not the 30th of February. */
export const instant: CursorForm = {
  test: (value) => {
    const [, date, time] = instantShape.exec(value) ?? []
    const at = new Date(`${date}T${time}Z`)
    // Date takes days over the end of a month for days of the next one.
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${date}T${time}`)
  },
}

/**
 * The sort key to go on after, or undefined on the first page. `forms` are those of its values.
 *
 * Throws `validation_failed` for a text that is none of ours.
 */
export function decodeCursor(cursor: string | undefined, forms: readonly CursorForm[]): string[] | undefined {
  if (cursor === undefined) return undefined
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isOurs = (value: unknown, i: number): value is string =>
      typeof value === 'string' && (forms[i]?.test(value) ?? false)
    if (Array.isArray(values) && values.length === forms.length && values.every(isOurs)) return values
  } catch {}
  throw refusalOf([
    { path: 'cursor', code: 'invalid', message: 'This cursor is not from this list. Start without a cursor.' },
  ])
}

/** A page of at most `limit` of the rows (of which one more was read, to tell whether there are others). */
export function pageFrom<T>(
  rows: readonly T[],
  limit: number,
  keyOf: (row: T) => string[],
): { rows: readonly T[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

/** A page of a list that is short enough to be read whole, by keys of which no two are alike. */
export function pageWithin<T>(
  rows: readonly T[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  keyOf: (row: T) => string,
): { rows: readonly T[]; nextCursor: string | null } {
  const [after] = decodeCursor(cursor, [anyText]) ?? []
  const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const rest = after === undefined ? sorted : sorted.filter((row) => keyOf(row) > after)
  return pageFrom(rest, limit, (row) => [keyOf(row)])
}

/** The `Link` header of a page with a next one (RFC 8288): the same list, from the cursor on. */
export function nextLink(requestUrl: string, { body, nextCursor }: Answer): string | undefined {
  const cursor = nextCursor ?? cursorIn(body)
  if (cursor === undefined) return undefined
  const url = new URL(requestUrl, 'http://localhost')
  url.searchParams.set('cursor', cursor)
  return `<${url.pathname}${url.search}>; rel="next"`
}

function cursorIn(body: unknown): string | undefined {
  const { next_cursor: cursor } = (body ?? {}) as { next_cursor?: unknown }
  return typeof cursor === 'string' ? cursor : undefined
}

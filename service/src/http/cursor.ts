import { Refusal } from '#platform/errors.ts'

/** Where a page ended, as an opaque text: the values of the sort key of its last row. */
export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

const instantShape = /^(?!0000)(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d)?$/

/** The forms of a cursor's values. PostgreSQL accepts every value in one of these forms. */
const forms = {
  text: (value: string) => !value.includes('\0'),
  number: (value: string) => /^\d{1,15}$/.test(value),
  uuid: (value: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  /** A timestamptz as PostgreSQL writes it, with a date that exists: not February 30. */
  instant: (value: string) => {
    const [, date, time] = instantShape.exec(value) ?? []
    const at = new Date(`${date}T${time}Z`)
    // Date treats days past the end of a month as days of the next one.
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${date}T${time}`)
  },
}

/** The form of one value of a cursor. `is`: it is this text, such as the order of the list. */
export type CursorForm = keyof typeof forms | { readonly is: string }

/**
 * The sort key to continue after, or undefined on the first page. `wanted` are the forms of its values.
 *
 * Throws `validation_failed` for a text that is not one of our cursors.
 */
export function decodeCursor(cursor: string | undefined, wanted: readonly CursorForm[]): string[] | undefined {
  if (cursor === undefined) return undefined
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isOurs = (value: unknown, i: number): value is string => {
      const form = wanted[i]
      if (typeof value !== 'string' || form === undefined) return false
      return typeof form === 'string' ? forms[form](value) : value === form.is
    }
    if (Array.isArray(values) && values.length === wanted.length && values.every(isOurs)) return values
  } catch {}
  throw Refusal.of([
    { path: 'cursor', code: 'invalid', message: 'This cursor is not from this list. Start without a cursor.' },
  ])
}

/** The `Link` header of a page with a next one (RFC 8288): the same list, from the cursor on. */
export function nextLink(
  requestUrl: string,
  { body, nextCursor }: { readonly body?: unknown; readonly nextCursor?: string | null },
): string | undefined {
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

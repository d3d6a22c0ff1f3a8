import { type CursorForm, decodeCursor, encodeCursor } from './cursor.ts'

/** The request for a page of a list: where to continue (`cursor`), and the size (`limit`). Makes the page in the response. */
export class ListRequest {
  readonly #cursor: string | undefined
  readonly #limit: number

  constructor({ cursor, limit }: { cursor?: string | undefined; limit: number }) {
    this.#cursor = cursor
    this.#limit = limit
  }

  /**
   * The sort key to continue after, or undefined on the first page. `forms` are those of its values.
   *
   * @throws Refusal `validation_failed` for a cursor that is not from this list
   */
  after(...forms: readonly CursorForm[]): string[] | undefined {
    return decodeCursor(this.#cursor, forms)
  }

  /** A page of rows in their order. One more row than `limit` was read, to show whether there are others. */
  page<T>(rows: readonly T[], keyOf: (row: T) => string[]): { rows: readonly T[]; nextCursor: string | null } {
    const page = rows.slice(0, this.#limit)
    const last = page.at(-1)
    return {
      rows: page,
      nextCursor: rows.length > this.#limit && last !== undefined ? encodeCursor(keyOf(last)) : null,
    }
  }

  /** A page of a list that is short enough to be read whole, sorted by keys that are unique. */
  pageOfAll<T>(rows: readonly T[], keyOf: (row: T) => string): { rows: readonly T[]; nextCursor: string | null } {
    const [after] = this.after('text') ?? []
    const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const rest = after === undefined ? sorted : sorted.filter((row) => keyOf(row) > after)
    return this.page(rest, (row) => [keyOf(row)])
  }

  /** The cursor to a position that the list chooses, such as the id of the last row that was read. */
  cursorTo(...key: readonly string[]): string {
    return encodeCursor(key)
  }
}

/** Approximate number of characters in one piece. */
const pieceCharacters = 256 * 1024

/** The text that `JSON.stringify` returns for plain data, in pieces: many megabytes at once would block the event loop. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (typeof value === 'string' && value.length > pieceCharacters) return yield* stringPieces(value)
  if (typeof value !== 'object' || value === null || 'toJSON' in value || !isLongAsJson(value)) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  if (Array.isArray(value)) return yield* arrayPieces(value)
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(member)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function* arrayPieces(values: readonly unknown[]): Generator<string, void> {
  let before = '['
  for (let at = 0; at < values.length; ) {
    const end = pieceEnd(values, at)
    if (end > at) yield before + JSON.stringify(values.slice(at, end)).slice(1, -1)
    else {
      yield before
      yield* jsonPieces(values[at])
    }
    at = Math.max(end, at + 1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Where a piece with the elements from `at` on ends; `at` itself if that element alone is longer than a piece. */
function pieceEnd(values: readonly unknown[], at: number): number {
  let left = pieceCharacters
  for (let end = at; end < values.length; end++) {
    left = charactersLeft(values[end], left - 1)
    if (left < 0) return end
  }
  return values.length
}

function* stringPieces(text: string): Generator<string, void> {
  yield '"'
  for (let at = 0; at < text.length; ) {
    let end = at + pieceCharacters
    // Never between the halves of a surrogate pair: each alone is written as an escape.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end++
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
  yield '"'
}

/**
 * Whether the JSON of plain data has more characters than this, by default about one piece. Stops counting there, and writes no JSON.
 *
 * Escapes are not counted, so the JSON may still be longer if this returns false.
 */
export function isLongAsJson(value: unknown, characters = pieceCharacters): boolean {
  return charactersLeft(value, characters) < 0
}

function charactersLeft(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length - 2
  if (typeof value !== 'object' || value === null) return most - String(value ?? null).length
  // Two brackets, and one comma fewer than there are members.
  let left = most - 1
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = charactersLeft(value[i], left - 1)
    return left
  }
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (member === undefined) continue
    left = charactersLeft(member, left - name.length - 4)
    if (left < 0) return left
  }
  return left
}

/** JSON as bytes, with pauses. */
export function* jsonBytes(value: unknown): Generator<undefined, Buffer> {
  const pieces: Buffer[] = []
  for (const piece of jsonPieces(value)) {
    pieces.push(Buffer.from(piece))
    yield
  }
  return Buffer.concat(pieces)
}

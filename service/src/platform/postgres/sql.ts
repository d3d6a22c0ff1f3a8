import pg from 'pg'

/** What a statement answers. */
interface Answer<Row> {
  readonly rows: Row[]
}

/** A place to read from: the pool, or the inside of a transaction. */
export interface Db {
  run<Row>(statement: Statement<Row>): Promise<Answer<Row>>
}

/**
 * A statement, or a part of one, with the values of its parameters: a module makes it for its own tables, the use case decides when and
 * with which others it runs.
 *
 * Values never come into the text, which is the same for all that are put together in the same way, and is made once for them (`Shape`).
 */
export class Statement<Row = unknown> {
  readonly shape: Shape
  readonly values: readonly unknown[]

  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape
    this.values = values
  }

  /** As PostgreSQL takes it, with $1, $2 … where the values go. */
  get text(): string {
    return this.shape.text
  }

  async execute(db: Db): Promise<Answer<Row>> {
    return await db.run(this)
  }

  /** Runs it on this connection. */
  async executeOn(client: pg.ClientBase): Promise<Answer<Row>> {
    return (await client.query(this.text, [...this.values])) as unknown as Answer<Row>
  }
}

/** What a statement is without its values. Statements that are put together in the same way share one. */
class Shape {
  /** The text before, between and behind its parameters. */
  readonly pieces: readonly string[]
  #text: string | undefined

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }

  /** Made when a statement is sent: those that are only parts of others need none. */
  get text(): string {
    this.#text ??= this.pieces.reduce((text, piece, i) => `${text}$${i}${piece}`)
    return this.#text
  }
}

/** Where a value goes, among the shapes that a template has. */
const parameter = new Shape(['', ''])

/**
 * The key of a shape: how it is put together, from a template or a separator and what is filled into it, one after the other.
 *
 * Filling in shapes that are new each time leaves nothing in memory: the keys that start from a shape are freed with it.
 */
class StatementKey {
  shape: Shape | undefined
  readonly #keys = new WeakMap<Shape, StatementKey>()
  /** The last one taken: most templates are always filled with the same. */
  #last: Shape | undefined
  #lastKey: StatementKey | undefined

  over(filled: Shape): StatementKey {
    if (filled === this.#last && this.#lastKey !== undefined) return this.#lastKey
    const key = keyFrom(this.#keys, filled)
    this.#last = filled
    this.#lastKey = key
    return key
  }
}

const templates = new WeakMap<TemplateStringsArray, StatementKey>()
const separators = new WeakMap<Shape, StatementKey>()

/** By their texts: of what is made anew at each call. So many are kept that code which makes endless ones does not fill the memory. */
const plainTexts = new Map<string, Shape>()
const maxPlainTexts = 1_000

function fromTemplate<Row = unknown>(texts: TemplateStringsArray, ...filled: readonly unknown[]): Statement<Row> {
  return assemble(keyFrom(templates, texts), filled, () => texts)
}

/** `filled` are parts of the statement, and anything else is the value of a parameter. */
function assemble<Row>(
  from: StatementKey,
  filled: readonly unknown[],
  textsAround: () => readonly string[],
): Statement<Row> {
  const values: unknown[] = []
  let key = from
  for (const each of filled) {
    if (each instanceof Statement) {
      values.push(...each.values)
      key = key.over(each.shape)
    } else {
      values.push(each)
      key = key.over(parameter)
    }
  }
  key.shape ??= shapeOf(filled, textsAround())
  return new Statement<Row>(key.shape, values)
}

function shapeOf(filled: readonly unknown[], textsAround: readonly string[]): Shape {
  const pieces: string[] = []
  let open = textsAround[0] ?? ''
  for (const [i, each] of filled.entries()) {
    const [first = '', ...others] = each instanceof Statement ? each.shape.pieces : parameter.pieces
    open += first
    for (const other of others) {
      pieces.push(open)
      open = other
    }
    open += textsAround[i + 1] ?? ''
  }
  return new Shape([...pieces, open])
}

function keyFrom<From extends object>(keys: WeakMap<From, StatementKey>, from: From): StatementKey {
  const key = keys.get(from) ?? new StatementKey()
  keys.set(from, key)
  return key
}

function plain(text: string): Statement {
  const shape = plainTexts.get(text) ?? new Shape([text])
  if (plainTexts.size < maxPlainTexts) plainTexts.set(text, shape)
  return new Statement(shape, [])
}

const comma = plain(', ')

/**
 * Makes a statement of a template: a statement in it becomes a part, anything else the value of a parameter.
 *
 *     const isDue = sql`due_at <= ${now}`
 *     const { rows } = await sql<{ id: string }>`select id from mails where ${isDue}`.execute(db)
 */
export const sql = Object.assign(fromTemplate, {
  /** Parts or values one after the other, with a separator between them. */
  join: (items: readonly unknown[], separator: Statement = comma): Statement =>
    assemble(keyFrom(separators, separator.shape), items, () => [
      '',
      ...Array.from({ length: items.length - 1 }, () => separator.text),
      '',
    ]),
  /** SQL as it is: never what a caller has sent. */
  raw: plain,
  /** A value as a part of the text: for those that stay the same. */
  lit: (value: string | number | null): Statement =>
    plain(typeof value === 'string' ? pg.escapeLiteral(value) : String(value)),
  /** A statement whose text a library wrote, with $1, $2 … for its values. It cannot become part of another statement. */
  numbered: (text: string, values: readonly unknown[]): Statement => new Statement(plain(text).shape, values),
  recordset,
  /** How many seconds ago a moment was, such as `min(sent_at)`; 0 where that is null: nothing waits. */
  ageS: (moment: Statement): Statement => fromTemplate`coalesce(extract(epoch from app_now() - ${moment}), 0)::float8`,
  /** The name of a column. */
  ref: (name: string): Statement => plain(pg.escapeIdentifier(name)),
  /** The name of a table. */
  table: (name: string): Statement => plain(pg.escapeIdentifier(name)),
})

/**
 * Rows that travel with a statement, to select from under an alias:
 *
 *     const places = sql.recordset('now', 'id uuid, serial bigint')
 *     sql`update zones z set serial = now.serial from ${places(rows)} where z.id = now.id`
 *
 * What a row leaves out is null. Many rows travel as one text of JSON, however many they are, so that the statement stays the same. A lone
 * row, which is what most changes, deliveries and orders have, travels as a parameter for each column: PostgreSQL makes a table of names
 * for every row of JSON that it takes apart, which was a third of its work for a change of one rrset (measured: 234 to 279 µs, and 155
 * to 213 µs so). Sixteen changes as JSON cost 0.6 of sixteen statements of a row.
 *
 * `columns` are names and types in SQL. A statement with several recordsets passes the same `isLone` to all of them: if each decided alone,
 * each would double the number of texts that the statement can have, and only a limited number is named (`nameStatements`).
 */
function recordset(alias: string, columns: string): (rows: readonly object[], isLone?: boolean) => Statement {
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
    if (row === undefined || !isLone) return fromTemplate(manyRows, JSON.stringify(rows))
    return fromTemplate(loneRow, ...all.map(({ name, type }) => toParameter(row[name] ?? null, type)))
  }
}

function readColumn(text: string): { name: string; type: string } {
  const [, name, type] = /^\s*("\w+"|\w+) (\w+(?:\[\])?)\s*$/.exec(text) ?? []
  if (name === undefined || type === undefined) throw new SyntaxError(`${text} is not a column's name and type`)
  return { name: name.replaceAll('"', ''), type }
}

/** Makes a parameter of a value, so that PostgreSQL reads it as it would read the same value in JSON. */
function toParameter(value: unknown, type: string): unknown {
  if (type === 'json' && value !== null) return JSON.stringify(value)
  return value instanceof Date ? value.toISOString() : value
}

function fragments(texts: readonly string[]): TemplateStringsArray {
  return Object.assign([...texts], { raw: texts })
}

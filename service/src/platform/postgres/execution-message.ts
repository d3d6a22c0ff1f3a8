/** The name of a prepared statement, and the values of its parameters as they are sent: text, bytes in binary format, or null. */
export interface BoundStatement {
  readonly name: string
  readonly values: readonly (string | Buffer | null)[]
}

/**
 * Creates one message that runs prepared statements in order: Bind and Execute for each, then one Sync (PostgreSQL manual, "Message Formats").
 * Rows are returned as text.
 *
 * The buffer has exactly the length of the message, so each value is copied once. The driver's own buffer grows, and its messages are joined
 * afterwards, which copies large values several times (measured: 12 ms for 15 MB instead of 3.5 ms, and 2.3 µs for twelve short values instead of
 * 1.5 µs).
 *
 * @throws RangeError if a statement has more than 65,535 values, or values of more than 2 GiB
 */
export function executionMessage(statements: readonly BoundStatement[]): Buffer {
  const lengths = statements.map(bindLength)
  const total = lengths.reduce((sum, length) => sum + 1 + length + execute.length, sync.length)
  const message = Buffer.allocUnsafe(total)
  let at = 0
  for (const [i, statement] of statements.entries()) {
    at = writeBind(message, at, statement, lengths[i] as number)
    at += execute.copy(message, at)
  }
  sync.copy(message, at)
  return message
}

const bindCode = 'B'.charCodeAt(0)
/** Runs the unnamed portal, with any number of rows. */
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const sync = Buffer.from('S\0\0\0\x04', 'latin1')

/** The length of a Bind message without its first byte. */
function bindLength({ name, values }: BoundStatement): number {
  const lengthAndPortal = 5
  const counts = 8
  let length = lengthAndPortal + Buffer.byteLength(name) + 1 + counts
  for (const value of values) length += 2 + 4 + (value === null ? 0 : Buffer.byteLength(value))
  return length
}

/** Returns where the next message begins. */
function writeBind(message: Buffer, start: number, { name, values }: BoundStatement, length: number): number {
  let at = message.writeUInt8(bindCode, start)
  at = message.writeInt32BE(length, at)
  at = message.writeUInt8(0, at)
  at += message.write(name, at)
  at = message.writeUInt8(0, at)
  at = message.writeUInt16BE(values.length, at)
  for (const value of values) at = message.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at)
  at = message.writeUInt16BE(values.length, at)
  for (const value of values) at = writeValue(message, at, value)
  // One format for all results: text.
  return message.writeUInt32BE(0x0001_0000, at)
}

function writeValue(message: Buffer, at: number, value: string | Buffer | null): number {
  if (value === null) return message.writeInt32BE(-1, at)
  const start = at + 4
  const length = typeof value === 'string' ? message.write(value, start) : value.copy(message, start)
  message.writeInt32BE(length, at)
  return start + length
}

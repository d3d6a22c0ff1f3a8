import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ResponseReader } from './response-reader.ts'

const responses = [
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\nx-a: 1\r\nX-A: 2\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nx: y\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na',
  'HTTP/1.1 200 OK\nserver: x\r\n\r\n',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhello\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello again',
  'SSH-2.0-x\r\n',
]

/** The result of a reader for a response that arrives in these pieces. */
function read(pieces: readonly Buffer[]) {
  const reader = new ResponseReader(16_384)
  let failure: string | undefined
  for (const piece of pieces)
    try {
      reader.push(piece)
    } catch (error) {
      failure = (error as Error).message
      break
    }
  const { head, body, isDone, interim } = reader
  return { head, body: Buffer.concat(body).toString(), isDone, interim, failure }
}

test('reads a response the same way, however its bytes are split', () => {
  fc.assert(
    fc.property(fc.constantFrom(...responses), fc.array(fc.nat(80), { maxLength: 8 }), (text, cuts) => {
      const bytes = Buffer.from(text)
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const pieces = at.slice(1).map((end, i) => bytes.subarray(at[i], end))
      const [whole, cut] = [read([bytes]), read(pieces)]
      // An invalid status line is judged by the bytes that have arrived, so the quoted part differs.
      if (text.startsWith('SSH')) assert.match(cut.failure ?? '', /^The answer is not HTTP\/1\.1: it begins with "/)
      else assert.deepEqual(cut, whole)
    }),
  )
})

test('for any bytes, the reader returns a response or says what is wrong with it', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), (pieces) => {
      const { failure } = read([Buffer.from('HTTP/1.1 200 OK\r\n'), ...pieces.map((piece) => Buffer.from(piece))])
      if (failure !== undefined) assert.match(failure, /^The answer is not HTTP\/1\.1: [ -~…]+\.$/)
    }),
  )
})

test('repeated headers become a list, and __proto__ is an ordinary header name', () => {
  const { head } = read([Buffer.from('HTTP/1.1 200 OK\r\nset-cookie: a\r\nSet-Cookie: b\r\n__proto__: c\r\n\r\n')])
  assert.deepEqual(Object.entries(head?.headers ?? {}), [
    ['set-cookie', ['a', 'b']],
    ['__proto__', 'c'],
  ])
})

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const large: Readonly<Record<string, string>> = {
  'one header 16,000 times': `${ok}${'a:\r\n'.repeat(16_000)}\r\n`,
  'a run of spaces within a value': `${ok}a: b${' '.repeat(64_000)}c\r\n\r\n`,
  'a run of tabs within a value': `${ok}a: b${'\t'.repeat(64_000)}c\r\n\r\n`,
  'a value of spaces': `${ok}a:${' '.repeat(64_000)}\r\n\r\n`,
  'a long value': `${ok}a: ${'x'.repeat(64_000)}\r\n\r\n`,
  'a long reason': `HTTP/1.1 200 ${' '.repeat(64_000)}x\r\n\r\n`,
  'empty lines': '\r\n'.repeat(32_000),
  'options of Connection': `${ok}connection: ${' ,'.repeat(32_000)}\r\n\r\n`,
  'a long Transfer-Encoding': `${ok}transfer-encoding: a${' '.repeat(64_000)}a\r\n\r\n`,
  'a long extension of a chunk': `${chunked}1;${' '.repeat(64_000)}x\r\n`,
  'spaces after the size of a chunk': `${chunked}1${' '.repeat(64_000)}x\r\n`,
  'chunks of one byte': `${chunked}${'1\r\nx\r\n'.repeat(10_000)}`,
  'a long trailer': `${chunked}0\r\n${'a: b\r\n'.repeat(10_000)}\r\n`,
}

for (const [name, text] of Object.entries(large))
  test(`reads a response in linear time, whole and byte by byte: ${name}`, () => {
    const bytes = Buffer.from(text)
    for (const size of [bytes.length, 1]) {
      const pieces = Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
      const before = process.cpuUsage()
      read(pieces)
      const { user, system } = process.cpuUsage(before)
      assert.ok((user + system) / 1_000 < 1_000, `${(user + system) / 1_000} ms of processor time in pieces of ${size}`)
    }
  })

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { createServer } from 'node:tls'
import type { FailureWord, WebhookAnswer } from '#ports/webhook-http.ts'
import { createTestAuthority, listen } from '#testing/webhook-http/test-receiver.ts'
import { createWebhookHttp } from './index.ts'

// The responses of receivers, byte by byte. A TLS server without its own HTTP sends each row.

const { authority, caFile } = await createTestAuthority('Tests of responses')

const ok = 'HTTP/1.1 200 OK\r\n'
const empty = 'content-length: 0\r\n\r\n'
const done = `${ok}${empty}`
const not = 'The answer is not HTTP/1.1: '

/** What is written after the request has arrived. The connection is then closed unless it stays open. */
interface Row {
  readonly send: string | Buffer
  /** Written in pieces of this many bytes. */
  readonly pieces?: number
  /** The receiver leaves the connection open. */
  readonly open?: boolean
  /** The receiver resets the connection afterwards. */
  readonly reset?: boolean
  /** The status, the failure word, and the whole sentence or a part of it. A success has neither word nor sentence. */
  readonly gives: readonly [status: number | null, failure?: FailureWord, detail?: string | RegExp]
  readonly body?: string
}

const rows: Readonly<Record<string, Row>> = {
  // Interim responses
  'an unrequested 100': { send: `HTTP/1.1 100 Continue\r\n\r\n${done}`, gives: [200] },
  'a 100 with headers': { send: `HTTP/1.1 100 Continue\r\ndate: x\r\n\r\n${done}`, gives: [200] },
  'a 100 with a Content-Length': { send: `HTTP/1.1 100 Continue\r\ncontent-length: 5\r\n\r\n${done}`, gives: [200] },
  'a 100 without a reason': { send: `HTTP/1.1 100\r\n\r\n${done}`, gives: [200] },
  'a 100 byte by byte': {
    send: `HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 2\r\n\r\nok`,
    pieces: 1,
    gives: [200],
    body: 'ok',
  },
  'a 100 and then a failure': {
    send: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 No\r\n${empty}`,
    gives: [503, 'status', 'The receiver answered with status 503 (Service Unavailable).'],
  },
  'a 102': { send: `HTTP/1.1 102 Processing\r\n\r\n${done}`, gives: [200] },
  'a 103 with links': { send: `HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n${done}`, gives: [200] },
  'an unknown 199': { send: `HTTP/1.1 199 What\r\n\r\n${done}`, gives: [200] },
  'a 104 in HTTP/1.0': { send: `HTTP/1.0 104 What\r\n\r\n${done}`, gives: [200] },
  'ten interim responses': { send: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10) + done, gives: [200] },
  'ten interim responses of several kinds': {
    send: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'.repeat(5) + done,
    gives: [200],
  },
  'eleven interim responses': {
    send: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11) + done,
    gives: [null, 'status', 'The receiver sent more than 10 interim (1xx) responses and no final one.'],
  },
  'a 100 and nothing more': {
    send: 'HTTP/1.1 100 Continue\r\n\r\n',
    gives: [null, 'connect', 'The receiver closed the connection in the middle of the response headers.'],
  },
  'a 101': {
    send: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    gives: [101, 'status', 'The receiver switched to another protocol (101), which the service did not ask for.'],
  },
  'a 101 without headers, left open': {
    send: 'HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x05hello',
    open: true,
    gives: [101, 'status', /switched to another protocol/],
  },
  'a 100 and then a 101': {
    send: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n',
    gives: [101, 'status', /101/],
  },
  // Status lines
  'no reason': { send: `HTTP/1.1 200\r\n${empty}`, gives: [200] },
  'an empty reason': { send: `HTTP/1.1 200 \r\n${empty}`, gives: [200] },
  'a reason that is not ASCII': { send: `HTTP/1.1 200 Été\r\n${empty}`, gives: [200] },
  'HTTP/1.0': { send: 'HTTP/1.0 200 OK\r\n\r\nhello', gives: [200], body: 'hello' },
  'an empty line before the status line': { send: `\r\n${done}`, gives: [200] },
  'HTTP/2.0 in the status line': {
    send: `HTTP/2.0 200 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line says HTTP/2.0.`],
  },
  'HTTP/2 in the status line': {
    send: `HTTP/2 200\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line says HTTP/2.`],
  },
  'HTTP/0.9 in the status line': {
    send: `HTTP/0.9 200 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line says HTTP/0.9.`],
  },
  'HTTP/1.2': { send: `HTTP/1.2 200 OK\r\n${empty}`, gives: [null, 'connect', `${not}its status line says HTTP/1.2.`] },
  RTSP: { send: `RTSP/1.0 200 OK\r\n${empty}`, gives: [null, 'connect', `${not}it begins with "RTSP/1.0 200 OK".`] },
  'lower case': {
    send: `http/1.1 200 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}it begins with "http/1.1 200 OK".`],
  },
  'two digits': {
    send: `HTTP/1.1 20 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line is not valid: "HTTP/1.1 20 OK".`],
  },
  'four digits': {
    send: `HTTP/1.1 2000 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status code is not three digits: "HTTP/1.1 2000 OK".`],
  },
  'no status code': {
    send: `HTTP/1.1 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line is not valid: "HTTP/1.1 OK".`],
  },
  'the reason without a space': {
    send: `HTTP/1.1 200OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status code is not three digits: "HTTP/1.1 200OK".`],
  },
  'status 000': { send: `HTTP/1.1 000 None\r\n${empty}`, gives: [null, 'connect', `${not}its status code is 000.`] },
  'status 099': { send: `HTTP/1.1 099 None\r\n${empty}`, gives: [null, 'connect', `${not}its status code is 099.`] },
  'status 600': {
    send: `HTTP/1.1 600 More\r\n${empty}`,
    gives: [600, 'status', 'The receiver answered with status 600.'],
  },
  'status 999': {
    send: `HTTP/1.1 999 More\r\n${empty}`,
    gives: [999, 'status', 'The receiver answered with status 999.'],
  },
  'two spaces': { send: `HTTP/1.1  200 OK\r\n${empty}`, gives: [null, 'connect', /its status line is not valid/] },
  'a tab': {
    send: `HTTP/1.1\t200 OK\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line is not valid: "HTTP/1.1\\x09200 OK".`],
  },
  'a long version': {
    send: `HTTP/1${'1'.repeat(5_000)} 200 OK\r\n${empty}`,
    gives: [null, 'connect', /its status line says HTTP\/1{100,119}…\.$/],
  },
  'a bare CR in the reason': {
    send: `HTTP/1.1 200 OK\r\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line has a control character: "HTTP/1.1 200 OK\\x0d".`],
  },
  'a terminal escape in the reason': {
    send: `HTTP/1.1 200 \u001b[2J\r\n${empty}`,
    gives: [null, 'connect', `${not}its status line has a control character: "HTTP/1.1 200 \\x1b[2J".`],
  },
  // Other protocols
  'an SSH banner, left open': {
    send: 'SSH-2.0-OpenSSH_9.6\r\n',
    open: true,
    gives: [null, 'connect', `${not}it begins with "SSH-2.0-OpenSSH_9.6".`],
  },
  'an SMTP greeting': {
    send: '220 mail.example.org ESMTP\r\n',
    open: true,
    gives: [null, 'connect', `${not}it begins with "220 mail.example.org ESMTP".`],
  },
  'a few bytes that no HTTP begins with, left open': {
    send: 'RFB',
    open: true,
    gives: [null, 'connect', `${not}it begins with "RFB".`],
  },
  'HTTP/0.9': {
    send: '<html>hello</html>',
    open: true,
    gives: [null, 'connect', `${not}it begins with "<html>hello</html>".`],
  },
  'JSON alone': { send: '{"ok":true}', gives: [null, 'connect', `${not}it begins with "{\\"ok\\":true}".`] },
  'an HTTP/2 preface': {
    send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    open: true,
    gives: [null, 'connect', `${not}it is HTTP/2.`],
  },
  'an HTTP/2 SETTINGS frame': {
    send: Buffer.from('000006040000000000000400001000', 'hex'),
    open: true,
    gives: [null, 'connect', `${not}it is HTTP/2.`],
  },
  'TLS in TLS': {
    send: Buffer.from('15030300020228', 'hex'),
    gives: [null, 'connect', `${not}it begins with "\\x15\\x03\\x03\\x00\\x02\\x02(".`],
  },
  'a byte order mark': {
    send: `\ufeff${done}`,
    gives: [null, 'connect', `${not}it begins with "\\xef\\xbb\\xbfHTTP/1.1 200 OK".`],
  },
  'terminal escapes, and text that reads backwards': {
    send: '\u001b[31m\u202eevil\r\n',
    gives: [null, 'connect', `${not}it begins with "\\x1b[31m\\xe2\\x80\\xaeevil".`],
  },
  'a long line of another protocol': {
    send: 'x'.repeat(5_000),
    gives: [null, 'connect', new RegExp(`^${not}it begins with "x{100,119}…"\\.$`)],
  },
  // Header lines
  'a header without a colon': {
    send: `${ok}server nginx\r\n${empty}`,
    gives: [null, 'connect', `${not}a header has no colon: "server nginx".`],
  },
  'a space before the colon': {
    send: `${ok}server : nginx\r\n${empty}`,
    gives: [null, 'connect', `${not}the name of a header is not valid: "server ".`],
  },
  'a header without a name': {
    send: `${ok}: nginx\r\n${empty}`,
    gives: [null, 'connect', `${not}the name of a header is not valid: "".`],
  },
  'a header name with a bracket': {
    send: `${ok}ser(ver: x\r\n${empty}`,
    gives: [null, 'connect', `${not}the name of a header is not valid: "ser(ver".`],
  },
  'a NUL in a header': {
    send: `${ok}server: a\0b\r\n${empty}`,
    gives: [null, 'connect', `${not}the header server has a control character in its value: "a\\x00b".`],
  },
  'a NUL in a header with a long name': {
    send: `${ok}${'n'.repeat(5_000)}: a\0b\r\n${empty}`,
    gives: [null, 'connect', /the header n{100,119}… has a control character in its value: "a\\x00b"\.$/],
  },
  'a bare CR in a header': {
    send: `${ok}server: a\rb\r\n${empty}`,
    gives: [null, 'connect', /the header server has a control character/],
  },
  'a folded header': {
    send: `${ok}server: a\r\n b\r\n${empty}`,
    gives: [null, 'connect', `${not}a header is folded over two lines: " b".`],
  },
  'white space before the first header': {
    send: `${ok} server: a\r\n${empty}`,
    gives: [null, 'connect', `${not}there is white space before the first header.`],
  },
  'lines that end with LF alone': {
    send: 'HTTP/1.1 200 OK\ncontent-length: 0\n\n',
    gives: [null, 'connect', `${not}a line ends with LF instead of CRLF: "HTTP/1.1 200 OK".`],
  },
  'one header that ends with LF alone': {
    send: `${ok}server: a\n${empty}`,
    gives: [null, 'connect', `${not}a line ends with LF instead of CRLF: "server: a".`],
  },
  'an empty value, and one that is not ASCII': { send: `${ok}x-empty:\r\nx-name: Zoë\r\n${empty}`, gives: [200] },
  'three thousand headers': { send: `${ok}${'a: 1\r\n'.repeat(3_000)}${empty}`, gives: [200] },
  'headers over 64 KiB': {
    send: `${ok}x: ${'a'.repeat(70_000)}\r\n${empty}`,
    gives: [null, 'too_large', 'The headers of the answer are larger than 64 KiB.'],
  },
  'a status line without an end': {
    send: `HTTP/1.1 200 ${'a'.repeat(70_000)}`,
    open: true,
    gives: [null, 'too_large', /larger than 64 KiB/],
  },
  // Framing
  'two Content-Length headers': {
    send: `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\nok`,
    gives: [null, 'connect', `${not}two Content-Length headers.`],
  },
  'two Content-Length headers that agree': {
    send: `${ok}Content-Length: 2\r\ncontent-length: 2\r\n\r\nok`,
    gives: [null, 'connect', `${not}two Content-Length headers.`],
  },
  'three Content-Length headers': {
    send: `${ok}${'content-length: 2\r\n'.repeat(3)}\r\nok`,
    gives: [null, 'connect', `${not}3 Content-Length headers.`],
  },
  'a list as Content-Length': {
    send: `${ok}content-length: 2, 2\r\n\r\nok`,
    gives: [null, 'connect', `${not}its Content-Length is not a number: "2, 2".`],
  },
  'a sign in Content-Length': {
    send: `${ok}content-length: +2\r\n\r\nok`,
    gives: [null, 'connect', `${not}its Content-Length is not a number: "+2".`],
  },
  'a negative Content-Length': { send: `${ok}content-length: -1\r\n\r\nok`, gives: [null, 'connect', /"-1"/] },
  'a hexadecimal Content-Length': { send: `${ok}content-length: 0x2\r\n\r\nok`, gives: [null, 'connect', /"0x2"/] },
  'an empty Content-Length': {
    send: `${ok}content-length:\r\n\r\nok`,
    gives: [null, 'connect', `${not}its Content-Length is not a number: "".`],
  },
  'a Content-Length beyond all numbers': {
    send: `${ok}content-length: ${'9'.repeat(30)}\r\n\r\nok`,
    gives: [null, 'connect', /"9{30}"/],
  },
  'a padded Content-Length': { send: `${ok}content-length:    2   \r\n\r\nok`, gives: [200], body: 'ok' },
  'Content-Length and then Transfer-Encoding': {
    send: `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    gives: [null, 'connect', `${not}it has both a Content-Length and a Transfer-Encoding header.`],
  },
  'Transfer-Encoding and then Content-Length': {
    send: `${ok}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n`,
    gives: [null, 'connect', /both a Content-Length and a Transfer-Encoding/],
  },
  // Bodies: they never change the outcome
  'a chunked body with an extension and a trailer': {
    send: `${ok}transfer-encoding: Chunked\r\n\r\n2;a=b\r\nok\r\n3\r\n, y\r\n0\r\nx: y\r\n\r\n`,
    gives: [200],
    body: 'ok, y',
  },
  'a chunked body byte by byte': {
    send: `${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    pieces: 1,
    gives: [200],
    body: 'ok',
  },
  'a chunk without a size': {
    send: `${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n\r\n`,
    open: true,
    gives: [200],
    body: 'ok',
  },
  'a chunk without a size in a failure': {
    send: 'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n',
    open: true,
    gives: [500, 'status', 'The receiver answered with status 500 (Internal Server Error).'],
  },
  'a chunk that is longer than it says': {
    send: `${ok}transfer-encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n`,
    open: true,
    gives: [200],
    body: 'o',
  },
  'a body that is cut short': { send: `${ok}content-length: 10\r\n\r\nok`, gives: [200], body: 'ok' },
  'a body that is reset': { send: `${ok}content-length: 10\r\n\r\nok`, reset: true, gives: [200] },
  'a body until the connection closes': { send: `${ok}\r\nhello`, gives: [200], body: 'hello' },
  'another coding': { send: `${ok}transfer-encoding: gzip\r\n\r\nhello`, gives: [200], body: 'hello' },
  'more than the body': { send: `${ok}content-length: 2\r\n\r\nok and more`, open: true, gives: [200], body: 'ok' },
  'two responses': { send: done + done, open: true, gives: [200] },
  'a 204 with a body': {
    send: 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok',
    open: true,
    gives: [204],
    body: '',
  },
  'a 205 with a body': { send: 'HTTP/1.1 205 Reset\r\ncontent-length: 2\r\n\r\nok', gives: [205], body: 'ok' },
  'a 2xx body that never ends': {
    send: `${ok}content-length: 100\r\n\r\nhello`,
    open: true,
    gives: [200],
    body: 'hello',
  },
  'a chunked 2xx body that never ends': {
    send: `HTTP/1.1 202 Later\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    open: true,
    gives: [202],
    body: 'hello',
  },
  'a 2xx body without a length that never ends': { send: `${ok}\r\nhello`, open: true, gives: [200], body: 'hello' },
  'a failure whose body never ends': {
    send: 'HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\nhello',
    open: true,
    gives: [500, 'status', /500/],
    body: 'hello',
  },
  'a redirect whose body never ends': {
    send: 'HTTP/1.1 302 No\r\nlocation: /x\r\ncontent-length: 100\r\n\r\nhello',
    open: true,
    gives: [302, 'redirect', /redirect to \/x/],
    body: 'hello',
  },
  // Status codes
  'a 400': {
    send: `HTTP/1.1 400 No\r\n${empty}`,
    gives: [400, 'status', 'The receiver answered with status 400 (Bad Request).'],
  },
  'a 404 with a body': {
    send: 'HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\nno',
    gives: [404, 'status', 'The receiver answered with status 404 (Not Found).'],
    body: 'no',
  },
  'a 410': {
    send: `HTTP/1.1 410 Gone\r\n${empty}`,
    gives: [410, 'status', 'The receiver answered with status 410 (Gone).'],
  },
  'a 429': {
    send: `HTTP/1.1 429 Slow down\r\n${empty}`,
    gives: [429, 'status', 'The receiver answered with status 429 (Too Many Requests).'],
  },
  'a 301': {
    send: `HTTP/1.1 301 Moved\r\nlocation: https://other.example.org/\r\n${empty}`,
    gives: [
      301,
      'redirect',
      'The receiver answered with status 301 (Moved Permanently), a redirect to https://other.example.org/; redirects are not followed.',
    ],
  },
  'a 307 whose location would break the line': {
    send: `HTTP/1.1 307 Moved\r\nlocation: /é"\\\r\n${empty}`,
    gives: [307, 'redirect', /a redirect to \/\\xc3\\xa9\\"\\\\;/],
  },
  'a 302 without a location': {
    send: `HTTP/1.1 302 Found\r\n${empty}`,
    gives: [302, 'redirect', 'The receiver answered with status 302 (Found); only a 2xx status counts as delivered.'],
  },
  'a 304': { send: 'HTTP/1.1 304 Not Modified\r\n\r\n', gives: [304, 'redirect', /304 \(Not Modified\); only a 2xx/] },
  // Closed too early
  'closed without an answer': {
    send: '',
    gives: [null, 'connect', 'The receiver closed the connection without answering.'],
  },
  'reset without an answer': {
    send: '',
    reset: true,
    gives: [null, 'connect', 'The receiver reset the connection without answering.'],
  },
  'empty lines alone': {
    send: '\r\n\r\n',
    gives: [null, 'connect', 'The receiver closed the connection without answering.'],
  },
  'closed in the status line': {
    send: 'HTTP/1.1 20',
    gives: [null, 'connect', 'The receiver closed the connection in the middle of the response headers.'],
  },
  'closed in a header': { send: `${ok}content-le`, gives: [null, 'connect', /in the middle of the response headers/] },
  'closed before the empty line': {
    send: `${ok}content-length: 0\r\n`,
    gives: [null, 'connect', /in the middle of the response headers/],
  },
  'reset in a header': {
    send: `${ok}content-le`,
    reset: true,
    gives: [
      null,
      'connect',
      /^The receiver (reset|closed) the connection (in the middle of the response headers|without answering)\.$/,
    ],
  },
}

const names = Object.keys(rows)
const received = new Map<number | undefined, Socket>()
const server = createServer(authority.issue(['127.0.0.1']), (socket) => {
  socket.on('error', () => undefined)
  socket.once(
    'data',
    (request) => void answer(socket, rows[names[Number(/^POST \/(\d+) /.exec(String(request))?.[1])] ?? '']),
  )
})
server.on('connection', (socket: Socket) => {
  received.set(socket.remotePort, socket)
})
const port = await listen(server)
const http = createWebhookHttp({ trustedTargets: [`127.0.0.1:${port}`], caFile })
after(() => http.close())

async function answer(socket: Socket, row: Row | undefined): Promise<void> {
  assert.ok(row)
  const bytes = Buffer.from(row.send)
  const size = row.pieces ?? Math.max(bytes.length, 1)
  for (let at = 0; at < bytes.length; at += size)
    await new Promise((resolve) => socket.write(bytes.subarray(at, at + size), resolve))
  // On the TCP socket below TLS, because only this one can be reset.
  if (row.reset) received.get(socket.remotePort)?.resetAndDestroy()
  else if (!row.open) socket.end()
}

const post = (path: string): Promise<WebhookAnswer> =>
  http.post({ url: `https://127.0.0.1:${port}${path}`, headers: {}, body: Buffer.from('{}') })

const began = performance.now()
const answers = await Promise.all(names.map((_, i) => post(`/${i}`)))
const tookMs = performance.now() - began

for (const [i, [name, { gives, body }]] of Object.entries(rows).entries())
  test(`a receiver’s response has the expected outcome and sentence: ${name}`, () => {
    const given = answers[i] as WebhookAnswer
    const [status, failure = null, detail = null] = gives
    assert.deepEqual([given.status, given.failure], [status, failure])
    if (detail instanceof RegExp) assert.match(given.failureDetail ?? '', detail)
    else assert.equal(given.failureDetail, detail)
    if (failure !== null)
      assert.match(given.failureDetail ?? '', /^[ -~…]{10,300}\.$/, 'one sentence that anybody can print')
    if (body !== undefined) assert.equal(given.body, body)
  })

test('never waits the full ten seconds for a body, whatever the status', () => {
  assert.ok(tookMs < 9_000, `${tookMs} ms`)
})

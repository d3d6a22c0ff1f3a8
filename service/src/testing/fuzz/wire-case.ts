import fc from 'fast-check'
import { type Facts, fromSchema, type Schema } from './from-schema.ts'
import { oddText, oddValue } from './odd-values.ts'

/** A route as the fuzz test calls it: of the contract, or another one. */
export interface Target {
  /** Unique; the seed of its cases depends on it. */
  readonly id: string
  readonly method: string
  /** With its prefix and `{names}`. */
  readonly path: string
  readonly query: Readonly<Record<string, Schema>>
  readonly body?: Schema
  /** The media type of a body that is not JSON. */
  readonly raw?: string
  readonly schemas: Readonly<Record<string, Schema>>
  /** Better-auth's refusals have a form of their own (docs/decisions/0012). */
  readonly isAuth?: boolean
  /** Keys may not call it. */
  readonly isForPeople?: boolean
  /** There is no such route, so every request is refused. */
  readonly isNowhere?: boolean
  /** It is the same for everyone, so it may be cached. */
  readonly isStatic?: boolean
}

/** A request as sent. */
export interface WireCase {
  readonly method: string
  /** Bytes as latin-1. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
  readonly isChunked: boolean
}

/** The callers: Cookie or Authorization headers that work or do not work. */
export interface Callers {
  readonly working: readonly (readonly [string, string])[]
  readonly origin: string
}

/** Requests of a route: valid ones, valid ones with one error, and others. */
export function wireCase(target: Target, facts: Facts, callers: Callers): fc.Arbitrary<WireCase> {
  return fc
    .record({
      method: fc.oneof({ weight: 40, arbitrary: fc.constant(target.method) }, { weight: 1, arbitrary: oddMethod }),
      path: pathOf(target, facts),
      query: queryOf(target, facts),
      caller: callerOf(callers),
      more: fc.array(oddHeader, { maxLength: 2 }),
      content: contentOf(target, facts),
      isChunked: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    })
    .map(({ method, path, query, caller, more, content, isChunked }) => ({
      method,
      target: path + query,
      headers: [...caller, ...more, ...content.headers],
      body: content.body,
      isChunked,
    }))
}

/** A request's bytes. */
export function bytesOf({ method, target, headers, body, isChunked }: WireCase): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: zonewright.test']
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (body === undefined) return head
  return isChunked ? Buffer.concat([head, ...chunksOf(body)]) : Buffer.concat([head, body])
}

function chunksOf(body: Buffer): Buffer[] {
  const half = Math.ceil(body.length / 2)
  const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0)
  const framed = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)};x=y\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  return [...framed, Buffer.from('0\r\nX-Trailer: 1\r\n\r\n')]
}

const oddMethod = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
)

function pathOf({ path }: Target, facts: Facts): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    if (part === '*') return fc.oneof(fc.constantFrom('zones', 'assets/x.js', 'a/b/c', ''), oddSegment)
    if (!part.startsWith('{')) return fc.constant(part)
    const known = (facts[part.slice(1, -1)] ?? []).map((value) => encodeURIComponent(String(value)))
    return known.length === 0
      ? oddSegment
      : fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom(...known) },
          { weight: 1, arbitrary: fc.constantFrom(...known).map((value) => `${value.toUpperCase()}.`) },
          { weight: 2, arbitrary: oddSegment },
        )
  })
  const whole = fc.tuple(...parts).map((of) => of.join('/'))
  const odd = fc.constantFrom('/', '//', '/.', '/..', ';a=b', '%2F', '%00', '/%zz', '#x', '?')
  return fc.oneof(
    { weight: 30, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, odd).map(([text, end]) => text + end) },
  )
}

/** Path segments, correctly encoded or not. */
const oddSegment: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: oddText.map(encoded) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['%', '%zz', '%ff', '%ed%a0%80', '%c0%af', '%2e%2e', '%2f', '%252f', '{zone}', '|', "'", '[', 'a%', '\xe9'],
      ...[
        'a'.repeat(4_096),
        'a'.repeat(4_097),
        'a'.repeat(8_000),
        '%61'.repeat(4_200),
        '%'.repeat(3_000),
        '%00'.repeat(100),
      ],
    ),
  },
)

/** Percent-encodes a text. Lone surrogates are encoded like characters (CESU-8). */
function encoded(text: string): string {
  return Array.from(text, (character) => {
    if (character.isWellFormed()) return encodeURIComponent(character)
    const code = character.charCodeAt(0)
    const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]
    return bytes.map((byte) => `%${byte.toString(16)}`).join('')
  }).join('')
}

function queryOf({ query, schemas }: Target, facts: Facts): fc.Arbitrary<string> {
  const own = Object.entries(query).map(([name, schema]) =>
    fc.option(
      fc
        .oneof(
          { weight: 4, arbitrary: fromSchema(schema, schemas, facts, name).map(String) },
          { weight: 1, arbitrary: oddText },
        )
        .map((value) => `${name}=${encoded(value.slice(0, 6_000))}`),
      { freq: 2 },
    ),
  )
  const odd = fc.oneof(
    fc.constantFrom(
      ...[
        '',
        'a',
        '=',
        '&&',
        '__proto__=1',
        'constructor[prototype]=1',
        'a[b]=c',
        'a[]=1&a[]=2',
        '%zz=1',
        '%ff',
        'limit',
        '+',
        '?',
      ],
      ...[
        'limit=1&limit=2',
        'limit=-1',
        'limit=1e9',
        'limit=',
        'cursor=',
        'cursor=AAAA',
        'dry_run=true',
        'dry_run=1',
        '%00=%00',
      ],
      `cursor=${Buffer.from('["a",1,null]').toString('base64url')}`,
      `cursor=${'A'.repeat(3_000)}`,
      `q=${'x'.repeat(7_000)}`,
      Array.from({ length: 1_100 }, (_, n) => `p${n}=1`).join('&'),
    ),
    fc
      .tuple(oddText, oddText)
      .map(([name, value]) => `${encoded(name.slice(0, 300))}=${encoded(value.slice(0, 1_500))}`),
  )
  return fc
    .tuple(fc.tuple(...own), fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: odd }))
    .map(([given, more]) => {
      const parts = [...given, more].filter((part) => part !== null)
      return parts.length === 0 ? '' : `?${parts.join('&')}`
    })
}

function callerOf({ working, origin }: Callers): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const from = ['Origin', origin] as const
  const right = fc.constantFrom(...working).map((credentials) => [credentials, from] as const)
  const wrong = fc.constantFrom(
    [],
    [from],
    [['Authorization', 'Bearer']],
    [['Authorization', 'Bearer svc_live_']],
    [['Authorization', `Bearer svc_live_${'A'.repeat(40)}`]],
    [['Authorization', `Basic ${'x'.repeat(5_000)}`]],
    [
      ['Authorization', 'Bearer a'],
      ['Authorization', 'Bearer b'],
    ],
    [['Authorization', '\xff\xfe']],
    [['Cookie', 'zonewright.session_token=%zz'], from],
    [['Cookie', `zonewright.session_token=${'a.'.repeat(2_000)}`], from],
    [['Cookie', '=; ;;a=b; __proto__=1; zonewright.session_token'], from],
    [['Cookie', 'zonewright.session_token=%ed%a0%80.%00; zonewright.session_token=b'], from],
  ) as unknown as fc.Arbitrary<readonly (readonly [string, string])[]>
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

const oddHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  ...Object.entries({
    Accept: [
      '*/*',
      'application/json',
      'text/dns',
      'text/html',
      ';q=0',
      ',',
      'application/json;q=x',
      'a'.repeat(3_000),
      '\x80',
    ],
    'Accept-Encoding': ['gzip', 'br;q=0', '*', ';;;', 'identity;q=0', 'a'.repeat(2_000)],
    'If-Match': ['*', '"1"', 'W/"1"', '1', '"', '"a","b"', '""', `"${'9'.repeat(400)}"`, '"-1"', '\xe9'],
    'If-None-Match': ['*', '"1"', 'W/', ','.repeat(2_000)],
    Prefer: [
      'wait=0',
      'wait=-1',
      'wait=1e9',
      'wait=',
      'wait="1"',
      'wait=99999999999999999999',
      'respond-async, wait=0',
      'return=minimal',
    ],
    'Idempotency-Key': [
      'a',
      'k1',
      'k2',
      'k3',
      '',
      ' ',
      '"quoted"',
      'x'.repeat(255),
      'x'.repeat(256),
      'x'.repeat(5_000),
      '\xff\xfe',
      '__proto__',
    ],
    'X-Forwarded-For': ['1.2.3.4', 'x', '::1, 10.0.0.1', ','.repeat(500), '1.2.3.4'.repeat(500)],
    'X-HTTP-Method-Override': ['DELETE', 'CONNECT'],
    'X-Request-Id': ['x', 'req_1', 'a'.repeat(1_000)],
    'X-Paystack-Signature': ['', 'a', '0'.repeat(128), '\xff'],
    'Accept-Language': ['en', '*', 'x'.repeat(1_000)],
    'User-Agent': ['', 'curl/8', '\x80\x81', 'x'.repeat(4_000)],
    Range: ['bytes=0-0', 'bytes=-1', 'x'],
    Expect: ['100-continue', 'tea'],
    Upgrade: ['websocket', 'h2c'],
    Origin: ['null', 'http://evil.test', '\x80', 'http://[::1'],
    Cookie: ['a=b', 'zonewright.session_token=x.y', '\xff=\xff'],
    Connection: ['keep-alive', 'upgrade', 'x'],
    'Content-Encoding': ['gzip', 'identity', 'x'],
    'X-Many': ['a'],
  }).map(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const)),
)

interface Content {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
}

function contentOf(target: Target, facts: Facts): fc.Arbitrary<Content> {
  const none: Content = { headers: [], body: undefined }
  const json = target.body && fromSchema(target.body, target.schemas, facts)
  const texts: fc.Arbitrary<Buffer>[] = []
  if (json)
    texts.push(
      json.map(jsonOf),
      json.map(jsonOf),
      fc.tuple(json, mutation).map(([value, change]) => jsonOf(change(value))),
    )
  if (target.raw === 'text/dns') texts.push(zoneFile, zoneFile)
  const right = texts.length > 0 ? fc.oneof(...texts) : undefined
  const type = target.raw ?? 'application/json'
  const types = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(type, ...(json ? ['application/json'] : [])) },
    { weight: 1, arbitrary: fc.constantFrom(...oddTypes) },
  )
  const typed = (bodies: fc.Arbitrary<Buffer>): fc.Arbitrary<Content> =>
    fc.tuple(bodies, types).map(([body, contentType]) => ({
      headers: contentType === undefined ? [] : [['Content-Type', contentType]],
      body,
    }))
  const broken = fc.tuple(right ?? fc.constant(Buffer.from('{}')), breaking).map(([body, breaks]) => breaks(body))
  const odd = oddValue.map(jsonOf)
  if (right === undefined && target.method === 'GET')
    return fc.oneof(
      { weight: 20, arbitrary: fc.constant(none) },
      { weight: 1, arbitrary: typed(odd) },
      { weight: 1, arbitrary: typed(broken) },
    )
  return fc.oneof(
    { weight: right ? 1 : 12, arbitrary: fc.constant(none) },
    { weight: right ? 14 : 1, arbitrary: typed(right ?? fc.constant(Buffer.from('{}'))) },
    { weight: 2, arbitrary: typed(odd) },
    { weight: 3, arbitrary: typed(broken) },
  )
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '')
}

const oddTypes = [
  ...[
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/json;',
    'application/json; charset="',
    'text/plain',
  ],
  ...[
    'text/dns',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'a/b/c',
  ],
  ...['application/vnd.api+json', '', ';', '*/*', '\x80/x', `application/${'x'.repeat(4_000)}`, undefined],
]

/** Replaces, removes or adds one thing in a valid value. */
const mutation: fc.Arbitrary<(value: unknown) => unknown> = fc
  .record({
    at: fc.infiniteStream(fc.nat(7)).map((s) => [...s.take(6)]),
    odd: oddValue,
    kind: fc.nat(2),
    name: oddText,
  })
  .map(
    ({ at, odd, kind, name }) =>
      (value) =>
        changedAt(value, at, odd, kind, name),
  )

function changedAt(
  value: unknown,
  [at = 0, ...deeper]: readonly number[],
  odd: unknown,
  kind: number,
  name: string,
): unknown {
  if (typeof value !== 'object' || value === null || at === 7) return odd
  const entries = Object.entries(value)
  const chosen = entries[at % Math.max(1, entries.length)]
  if (chosen === undefined || (kind === 2 && at % 2 === 1)) return rebuilt(value, [...entries, [name, odd]])
  if (kind === 1 && at % 2 === 1)
    return rebuilt(
      value,
      entries.filter((entry) => entry !== chosen),
    )
  return rebuilt(
    value,
    entries.map((entry) => (entry === chosen ? [entry[0], changedAt(entry[1], deeper, odd, kind, name)] : entry)),
  )
}

function rebuilt(like: object, entries: readonly (readonly [string, unknown])[]): unknown {
  return Array.isArray(like) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

const mebibyte = 1024 * 1024

/** Changes the bytes of a body. Large ones are rare, because each takes longer than a hundred others. */
const breaking: fc.Arbitrary<(body: Buffer) => Buffer> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom<(body: Buffer) => Buffer>(
      () => Buffer.alloc(0),
      (body) => body.subarray(0, Math.ceil(body.length / 2)),
      (body) => Buffer.concat([body, body]),
      (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
      (body) => Buffer.concat([body.subarray(0, 5), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), body.subarray(5)]),
      (body) => Buffer.from(body.toString('latin1'), 'utf16le'),
      (body) => Buffer.from(body.toString().replace('{', '{"name":"x","name":1,"__proto__":{},')),
      (body) => Buffer.from(body.toString().replace('{', '{"constructor":{"prototype":{}},')),
      (body) => Buffer.from(body.toString().replace(/"[^"]*"/, '"\\ud800\\u0000"')),
      (body) => Buffer.from(body.toString().replace(/\d+/, '9'.repeat(400))),
      () => Buffer.from('1'.repeat(50_000)),
      () => Buffer.from('null'),
      () => Buffer.from('"'),
      () => Buffer.from([0x1f, 0x8b, 8, 0]),
      () => Buffer.from('['.repeat(100_000)),
      () => Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)),
      () => Buffer.from('{"a":'.repeat(100_000)),
      (body) => Buffer.from(body.toString().replace(/:/, `:${'['.repeat(100_000)}${']'.repeat(100_000)},"z":`)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<(body: Buffer) => Buffer>(
      () => Buffer.from(`{${'"a":1,'.repeat(140_000)}"b":1}`),
      () => Buffer.from(`{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join()}}`),
      () => Buffer.from(`[${'1,'.repeat(mebibyte / 2 - 10)}1]`),
      () => Buffer.alloc(mebibyte, 0x20),
      () => Buffer.from(JSON.stringify('x'.repeat(mebibyte - 2))),
      () => Buffer.from('['.repeat(mebibyte / 2) + ']'.repeat(mebibyte / 2)),
      () => Buffer.from(JSON.stringify({ changes: new Array(40_000).fill({ name: 1 }) })),
      () =>
        Buffer.from(
          JSON.stringify({ rrsets: new Array(9_999).fill({ name: 1, type: 1, records: new Array(40).fill(1) }) }),
        ),
      (body) => Buffer.concat([body, Buffer.alloc(2 * mebibyte, 0x20)]),
    ),
  },
)

const zoneFile: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'www 60 IN A 192.0.2.1',
          '@ MX 10 mail',
          'txt TXT "a" "b"',
          '$TTL 60',
          '$ORIGIN example.com.',
          '$INCLUDE /etc/passwd',
        ],
        ...[
          '$GENERATE 1-5 h$ A 192.0.2.$',
          '$GENERATE 0-99999999/1 h$ A 192.0.2.1',
          '(',
          ')',
          '"',
          '\\',
          '; comment',
          ' A 1',
        ],
        ...[
          'x TYPE65400 \\# 4 0a000001',
          'x TYPE65400 \\# 99999 00',
          'a CNAME b',
          'a CNAME a',
          '* NS x',
          '@ SOA a b 1 2 3 4 5',
        ],
        ...[
          'x CAA 256 issue "a"',
          'x LOC 0 0 0 N 0 0 0 E 0m',
          'x SVCB 1 . key65535="\\000"',
          'x DS 1 1 1 zz',
          'x A 999.1.1.1',
        ],
        `x TXT "${'a'.repeat(70_000)}"`,
        `${'a'.repeat(64)} A 192.0.2.1`,
        '('.repeat(20_000),
      ),
      oddText,
      fc
        .tuple(oddText, fc.constantFrom('A', 'TXT', 'MX', 'SRV', 'AAAA', 'NAPTR'), oddText)
        .map((parts) => parts.join(' ')),
    ),
    { maxLength: 8 },
  )
  .map((lines) => Buffer.from(lines.join('\n')))

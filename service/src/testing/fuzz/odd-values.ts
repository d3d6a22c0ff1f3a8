import fc from 'fast-check'

/** Texts that some layer has been known to misinterpret. */
const oddTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    'a\ud800b',
    '\u202e',
    '\u2028',
    '\ufeff',
    'é',
    'ß',
    'İ',
    '💥',
    '＠',
    '。',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$ref', 'length'],
  ...[
    '.',
    '..',
    '../..',
    '@',
    '*',
    '*.',
    'a..b',
    '-',
    '_',
    '\\',
    '\\000.example.com',
    '\\256',
    '"',
    '("',
    ';',
    '$GENERATE',
  ],
  ...[
    'xn--',
    'xn--a',
    'XN--11B4C3D',
    'xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzz',
    'localhost',
    '127.0.0.1',
    '::1',
    'ANY',
    'TYPE0',
  ],
  ...[
    'TYPE65535',
    'TYPE65536',
    'AXFR',
    'OPT',
    'SOA',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
    '1_000',
  ],
  ...['9007199254740993', '18446744073709551616', '-9223372036854775809', '2147483648', '4294967296', '00000000001'],
  ...['2026-02-30T00:00:00Z', '+275760-09-13T00:00:00.001Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'],
  ...['-000001-01-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00+99:99', '00000000-0000-0000-0000-000000000000'],
  ...[
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    "'; drop table zones; --",
    '%',
    '%00',
    '%zz',
    '{{7*7}}',
    '<script>',
    '\r\nX: y',
  ],
  ...[
    'a@b',
    '"a b"@example.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    'x'.repeat(300),
    'x'.repeat(5_000),
  ],
  ...[
    'eyJhIjoxfQ',
    'W10',
    'bnVsbA',
    '////',
    'eyJfX3Byb3RvX18iOjF9',
    'http://[::1',
    'https://127.0.0.1:9/hook',
    'javascript:1',
  ],
]

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40, unit: 'grapheme' }) },
)

const oddNumber = fc.constantFrom(
  ...[0, -0, -1, 1, 1.5, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, -(2 ** 63)],
  ...[1e21, 1e308, 5e-324, -1e308],
)

/** JSON values of every type, some with members that all objects have. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false),
  fc.constantFrom([], {}, [[]], [null], [{}], { '': '' }, { length: 1 }, { toJSON: 1 }, { toString: 1 }),
  fc.constantFrom(
    ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}'].map((text) => JSON.parse(text)),
  ),
  fc.constantFrom(nested(50), nested(2_000), new Array(1_100).fill('x'), new Array(300).fill({ name: 1, type: 1 })),
  fc.jsonValue({ maxDepth: 3 }),
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value }
  return value
}

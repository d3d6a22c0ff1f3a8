import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsIn, linesIn } from './zone-samples.test.ts'

test('$GENERATE creates its records', () => {
  const text = `$TTL 5\n$GENERATE 1-3/2 host-$ A 192.0.2.$\{10,0,d}\n$GENERATE 10-11 $\{0,4,x}\\$ CNAME a$$.$\n`
  assert.deepEqual(linesIn(text), [
    'host-1.example.com. 5 A 192.0.2.11',
    'host-3.example.com. 5 A 192.0.2.13',
    '000a\\$.example.com. 5 CNAME a\\$.10.example.com.',
    '000b\\$.example.com. 5 CNAME a\\$.11.example.com.',
  ])
  assert.deepEqual(linesIn('$GENERATE 7-7 a$ IN 60 MX ( 10 m-$ )\n'), ['a7.example.com. 60 MX 10 m-7.example.com.'])
})

for (const [modifiers, written] of [
  ['', '300'],
  ['{0}', '300'],
  ['{5}', '305'],
  ['{+5}', '305'],
  ['{-300}', '0'],
  ['{0,5}', '00300'],
  ['{0,2,d}', '300'],
  ['{0,0,o}', '454'],
  ['{0,6,o}', '000454'],
  ['{0,0,x}', '12c'],
  ['{0,4,X}', '012C'],
  // As printed by named-checkzone.
  ['{0,0,n}', 'c.2.1'],
  ['{0,1,n}', 'c.2.1'],
  ['{0,6,n}', 'c.2.1.'],
  ['{0,7,N}', 'C.2.1.0'],
  ['{0,63,n}', `c.2.1${'.0'.repeat(29)}`],
] as const) {
  test(`$GENERATE writes 300 as ${written} for $${modifiers}`, () => {
    assert.deepEqual(linesIn(`$GENERATE 300-300 a 5 TXT "$${modifiers}"\n`), [`a.example.com. 5 TXT "${written}"`])
  })
}

test('a $GENERATE line that is invalid or creates unreadable records is one fault', () => {
  for (const line of [
    '',
    '1-',
    '2-1 a A 192.0.2.1',
    '1-2/0 a A 192.0.2.1',
    '1-2 a A',
    '1-9 a$ A 192.0.2.300',
    '1-9 a..$ A 192.0.2.1',
    `1-2 $\{0,2,d A 192.0.2.1`,
    `1-2 $\{0,2,z} A 192.0.2.1`,
    `1-2 $\{0,2,} A 192.0.2.1`,
    `1-2 $\{,2,d} A 192.0.2.1`,
    `1-2 $\{0,256} A 192.0.2.1`,
    `1-2 $\{-2} A 192.0.2.1`,
  ]) {
    const lines = faultsIn(`a A 192.0.2.1\n$GENERATE ${line}\n`).map(([at]) => at)
    assert.deepEqual(lines, [2], line)
  }
})

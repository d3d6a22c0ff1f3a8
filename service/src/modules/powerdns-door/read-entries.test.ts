import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PowerdnsEntry, powerdnsPatchSchema } from '@zonewright/contract'
import { Faults } from '#platform/errors.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { type EntryChange, readEntries } from './read-entries.ts'

/** The change that an entry represents, as the schema and the door read it. */
function read(entry: object, isNew = false): EntryChange | undefined {
  const faults = new Faults()
  const [change, ...others] = withoutPauses(readEntries(parsed([entry]), { isNew, faults }))
  faults.refuseAny()
  assert.deepEqual(others, [])
  return change
}

function parsed(rrsets: readonly object[]): readonly PowerdnsEntry[] {
  return powerdnsPatchSchema.parse({ rrsets }).rrsets
}

/** The errors of an entry: the place and the code of each. */
function faultsOf(entry: object, isNew = false): string[] {
  try {
    read(entry, isNew)
    return []
  } catch (error) {
    return (error as { details: { path: string; code: string }[] }).details.map(({ path, code }) => `${path} ${code}`)
  }
}

const www = { name: 'www.example.com.', type: 'A' }
const [one, two] = [{ content: '192.0.2.1' }, { content: '192.0.2.2', disabled: false }]
const replace = { ...www, changetype: 'REPLACE', ttl: 300, records: [one] }

test('REPLACE sets the records of a record set, or deletes it if there are none', () => {
  const ask = { kind: 'replace', records: ['192.0.2.1', '192.0.2.2'] }
  assert.deepEqual(read({ ...replace, records: [one, two] }), { ...www, ttl: 300, ask, place: 0 })
  for (const records of [[], null, undefined])
    assert.deepEqual(read({ ...replace, records })?.ask, { kind: 'replace', records: [] })
})

test('DELETE deletes a record set, whatever TTL and records the entry has', () => {
  const deleted = { ...www, ask: { kind: 'replace', records: [] }, place: 0 }
  for (const more of [
    {},
    { ttl: 0 },
    { ttl: null },
    { ttl: -1 },
    { ttl: 300, records: [one, two] },
    { records: null },
    { records: [] },
    { comments: [] },
  ])
    assert.deepEqual(read({ ...www, changetype: 'DELETE', ...more }), deleted)
})

test('EXTEND adds records, and PRUNE removes them', () => {
  const extend = { ...www, changetype: 'EXTEND', records: [one] }
  const added = { kind: 'edit', add: ['192.0.2.1'], remove: [] }
  assert.deepEqual(read({ ...extend, ttl: 60 }), { ...www, ttl: 60, ask: added, place: 0 })
  for (const ttl of [undefined, null]) assert.deepEqual(read({ ...extend, ttl })?.ttl, undefined)
  const pruned = { ...www, ask: { kind: 'edit', add: [], remove: ['192.0.2.1'] }, place: 0 }
  for (const ttl of [undefined, 60, 0, -1])
    assert.deepEqual(read({ ...www, changetype: 'PRUNE', records: [one], ttl }), pruned)
  for (const changetype of ['EXTEND', 'PRUNE'])
    for (const records of [undefined, null, []])
      assert.deepEqual(faultsOf({ ...www, changetype, ttl: 60, records }), ['/rrsets/0/records missing'])
})

test('the changetype is case-insensitive, and only record sets of a new zone can omit it', () => {
  for (const changetype of ['replace', 'Replace', 'REPLACE'])
    assert.equal(read({ ...replace, changetype })?.ask.kind, 'replace')
  for (const changetype of ['', 'REPLACED', 'UPDATE', ' REPLACE', null, undefined])
    assert.deepEqual(faultsOf({ ...replace, changetype }), ['/rrsets/0/changetype invalid'])
  for (const changetype of [null, undefined, 'REPLACE'])
    assert.equal(read({ ...replace, changetype }, true)?.ask.kind, 'replace')
  assert.deepEqual(faultsOf({ ...replace, changetype: 'UPDATE' }, true), ['/rrsets/0/changetype invalid'])
})

test('moves a TTL into its bounds; REPLACE with a missing or invalid TTL is an error', () => {
  for (const [ttl, becomes] of [
    [0, 30],
    [29, 30],
    [30, 30],
    [604_800, 604_800],
    [604_801, 604_800],
    [2_147_483_647, 604_800],
    ['60', 60],
    ['0', 30],
  ] as const)
    assert.equal(read({ ...replace, ttl })?.ttl, becomes, String(ttl))
  for (const ttl of [
    undefined,
    null,
    -1,
    1.5,
    2_147_483_648,
    1e300,
    '',
    '1h',
    '-1',
    ' 60',
    '12345678901',
    true,
    [],
    {},
  ])
    assert.deepEqual(faultsOf({ ...replace, ttl }), ['/rrsets/0/ttl bad_ttl'], JSON.stringify(ttl))
  assert.deepEqual(faultsOf({ ...replace, ttl: undefined, records: [] }), ['/rrsets/0/ttl bad_ttl'])
  assert.deepEqual(faultsOf({ ...replace, changetype: 'EXTEND', ttl: 'soon' }), ['/rrsets/0/ttl bad_ttl'])
})

test('ignores comments; an entry that contains nothing else changes nothing', () => {
  const comments = [{ content: 'web', account: 'ada', modified_at: 1 }]
  assert.equal(read({ ...replace, comments })?.ask.kind, 'replace')
  for (const records of [undefined, null])
    for (const list of [comments, []])
      assert.equal(read({ ...replace, records, comments: list, ttl: undefined }), undefined)
  assert.deepEqual(read({ ...replace, records: [], comments })?.ask, { kind: 'replace', records: [] })
})

test('names need a final dot, in entries and records, and texts need quotes', () => {
  for (const name of ['www.example.com', 'www', '@', '', String.raw`www.example.com\.`])
    assert.deepEqual(faultsOf({ ...replace, name }), ['/rrsets/0/name relative_name'], name)
  for (const [type, content, code] of [
    ['CNAME', 'example.net', 'relative_name'],
    ['ALIAS', 'example.net', 'relative_name'],
    ['MX', '10 mail', 'relative_name'],
    ['txt', 'word', 'unquoted'],
    ['TXT', 'v=spf1 -all', 'unquoted'],
  ] as const)
    for (const changetype of ['REPLACE', 'EXTEND', 'PRUNE'])
      assert.deepEqual(
        faultsOf({ ...replace, type, changetype, records: [{ content }] }),
        [`/rrsets/0/records/0 ${code}`],
        content,
      )
  assert.deepEqual(faultsOf({ ...replace, type: 'TXT', changetype: 'DELETE', records: [{ content: 'word' }] }), [])
})

test('a disabled record is an error, because it would be served', () => {
  const disabled = { content: '192.0.2.3', disabled: true }
  assert.deepEqual(faultsOf({ ...replace, records: [one, disabled] }), ['/rrsets/0/records/1 disabled'])
  assert.deepEqual(faultsOf({ ...replace, records: [{ ...one, disabled: null }] }), [])
  assert.deepEqual(faultsOf({ ...replace, changetype: 'DELETE', records: [disabled] }), [])
})

test('reports all errors of all entries, up to the number that a refusal lists', () => {
  const faults = new Faults()
  const bad = { ...replace, name: 'www', ttl: -1 }
  withoutPauses(readEntries(parsed([replace, bad, bad]), { isNew: false, faults }))
  assert.equal(faults.count, 4)
  assert.throws(
    () =>
      withoutPauses(
        readEntries(parsed(Array.from({ length: 100 }, () => bad)), { isNew: false, faults: new Faults() }),
      ),
    { code: 'validation_failed', message: /\(and more\)$/ },
  )
})

test('drops members that have no meaning here, and accepts ten thousand entries', () => {
  const sent = {
    ...replace,
    kind: 'Master',
    priority: 1,
    records: [{ ...one, name: 'x', type: 'A', ttl: 1, 'set-ptr': true }],
  }
  assert.deepEqual(read(sent)?.ask, { kind: 'replace', records: ['192.0.2.1'] })
  const many = (length: number) => ({ id: 'x', serial: 1, rrsets: Array.from({ length }, () => replace) })
  assert.equal(powerdnsPatchSchema.safeParse(many(10_000)).success, true)
  assert.equal(powerdnsPatchSchema.safeParse(many(10_001)).success, false)
})

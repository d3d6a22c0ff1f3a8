import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, parseType, readOwner, readValue, unescapedFault } from '@zonewright/dns'
import { changesOf } from './changes-of.ts'
import {
  applyEdits,
  type Edit,
  type Edits,
  isChangedSince,
  keyOf,
  mergeEdits,
  noEdits,
  type Rrset,
  settle,
  withAllChanged,
  withEdit,
  withKept,
  withoutEdit,
  withoutSaved,
  withReplaced,
} from './edits.ts'

const a = (...records: string[]) => ({ ttl: 300, records })
const rrset = (name: string, ...records: string[]): Rrset => ({ name, type: 'A', ...a(...records), managed: false })
const edit = (name: string, before: Edit['before'], after: Edit['after']): Edit => ({ name, type: 'A', before, after })
const edits = (...all: Edit[]): Edits => all.reduce<Edits>((map, one) => withEdit(map, one), new Map())

test('an edit that restores the original is dropped', () => {
  const once = edits(edit('www', a('192.0.2.1', '192.0.2.2'), a('192.0.2.3')))
  assert.equal(once.size, 1)
  const back = withEdit(once, edit('www', a('192.0.2.3'), a('192.0.2.2', '192.0.2.1')))
  assert.equal(back.size, 0)
})

test('a second edit of an rrset starts from the original values', () => {
  const twice = edits(edit('www', a('192.0.2.1'), a('192.0.2.2')), edit('www', a('192.0.2.2'), a('192.0.2.3')))
  assert.deepEqual(twice.get('www A'), edit('www', a('192.0.2.1'), a('192.0.2.3')))
})

test('a value that is added while a form of its rrset is open is kept, however the form is saved', () => {
  const opened = rrset('www', '192.0.2.1')
  const added = edits(edit('www', a('192.0.2.1'), a('192.0.2.1', '192.0.2.2')))
  const kept = (...records: string[]) => withKept(added, opened, a(...records)).get('www A')
  assert.deepEqual(kept('192.0.2.1'), edit('www', a('192.0.2.1'), a('192.0.2.1', '192.0.2.2')))
  assert.deepEqual(kept('192.0.2.3')?.after, a('192.0.2.2', '192.0.2.3'))
  const again = { ...rrset('www', '192.0.2.1', '192.0.2.2'), edit: added.get('www A') }
  assert.equal(withKept(added, again, a('192.0.2.1')).size, 0, 'a form that was opened with it may remove it')
})

test('an rrset was changed by others if it matches neither its state when the form was opened nor its own edit', () => {
  const opened = { ...rrset('www', '192.0.2.1'), edit: undefined }
  assert.equal(isChangedSince(opened, [opened]), false)
  assert.equal(isChangedSince(opened, [rrset('www', '192.0.2.2')]), true)
  assert.equal(isChangedSince(opened, [{ ...opened, ttl: 60 }]), true)
  assert.equal(isChangedSince(opened, [rrset('other', '192.0.2.1')]), true, 'it was deleted')
  const edited = { ...rrset('www', '192.0.2.3'), edit: edit('www', a('192.0.2.1'), a('192.0.2.3')) }
  assert.equal(isChangedSince(edited, [opened]), false)
  assert.equal(isChangedSince(edited, [rrset('www', '192.0.2.3')]), false, 'the edit was saved')
  assert.equal(isChangedSince({ ...edited, edit: edit('www', null, a('192.0.2.3')) }, []), false, 'it is new')
})

test('a new rrset that is corrected before it is saved is still new, and one that is deleted leaves no edit', () => {
  const added = edits(edit('www', null, a('192.0.2.1')))
  const corrected = withEdit(added, edit('www', a('192.0.2.1'), a('192.0.2.2')))
  assert.deepEqual(corrected.get('www A'), edit('www', null, a('192.0.2.2')))
  assert.equal(withEdit(corrected, edit('www', a('192.0.2.2'), null)).size, 0)
})

test('many record sets are changed in one way, except those of the service and those marked for deletion', () => {
  const zone = [rrset('a', '192.0.2.1'), rrset('b', '192.0.2.2'), { ...rrset('c', '192.0.2.3'), managed: true }]
  const before = edits(edit('b', a('192.0.2.2'), null))
  const rows = applyEdits(zone, before)
  const slower = withAllChanged(before, rows, ({ records }) => ({ ttl: 600, records }))
  assert.deepEqual([...slower.keys()], ['b A', 'a A'])
  assert.deepEqual(slower.get('a A')?.after, { ttl: 600, records: ['192.0.2.1'] })
  assert.equal(withAllChanged(slower, applyEdits(zone, slower), ({ records }) => ({ ttl: 300, records })).size, 1)
  assert.deepEqual(withReplaced(a('192.0.2.1', '192.0.2.2'), '192.0.2.1', '192.0.2.2'), a('192.0.2.2'))
})

test('the zone is shown as it will be, and deleted record sets stay visible', () => {
  const zone = [rrset('a', '192.0.2.1'), rrset('b', '192.0.2.2')]
  const shown = applyEdits(zone, edits(edit('a', a('192.0.2.1'), null), edit('new', null, a('192.0.2.9'))))
  assert.deepEqual(
    shown.map(({ name, records, edit: by }) => [name, records[0], by?.after === null]),
    [
      ['new', '192.0.2.9', false],
      ['a', '192.0.2.1', true],
      ['b', '192.0.2.2', false],
    ],
  )
})

test('a deletion sends no records, and names end in a dot', () => {
  const sent = changesOf(
    edits(edit('a.example.com', a('192.0.2.1'), null), edit('b.example.com', null, a('192.0.2.2'))),
  )
  assert.deepEqual(sent, [
    { name: 'a.example.com.', type: 'A', records: [] },
    { name: 'b.example.com.', type: 'A', records: ['192.0.2.2'], ttl: 300 },
  ])
})

test('names and values are sent in the form that new ones require', () => {
  const of = (name: string, type: string, record: string) => {
    const [sent] = changesOf(edits({ name, type, before: null, after: { ttl: 300, records: [record] } }))
    const { name: owner } = readOwner(sent?.name ?? '', parseName('example.com.'), () => '')
    const { value, fault } = readValue(parseType(type), sent?.records[0] ?? '', parseName('example.com.'))
    assert.deepEqual([owner, value, fault], [`${name}.`, record, undefined])
    assert.equal(unescapedFault(sent?.name ?? ''), undefined)
    return sent?.records[0]
  }
  for (const name of ['a#b.example.com', '#x.example.com', "it's.example.com", 'a\\@b.example.com', 'example.com'])
    of(name, 'A', '192.0.2.1')
  assert.equal(of('x.example.com', 'TXT', '"http://x"'), '"http://x"')
  assert.equal(of('x.example.com', 'AAAA', '2001:db8::1'), '2001:db8::1')
  assert.equal(of('x.example.com', 'HTTPS', '1 . ipv6hint=2001:db8::1'), '1 . ipv6hint=2001:db8::1')
  assert.match(of('x.example.com', 'CNAME', 'app:80.example.net.') ?? '', /^\\# /)
  assert.match(of('x.example.com', 'PTR', 'a//b._ipp._tcp.example.com.') ?? '', /^\\# /)
})

test('changes that only one side made are kept, identical changes are done, and the rest is a conflict', () => {
  const mine = edits(
    edit('alone', a('192.0.2.1'), a('192.0.2.2')),
    edit('same', a('192.0.2.1'), a('192.0.2.7')),
    edit('torn', a('192.0.2.1'), a('192.0.2.1', '192.0.2.5')),
    edit('gone', a('192.0.2.1'), a('192.0.2.3')),
  )
  const fresh = [rrset('alone', '192.0.2.1'), rrset('same', '192.0.2.7'), rrset('torn', '192.0.2.1', '192.0.2.6')]
  const { kept, conflicts, done } = mergeEdits(mine, fresh)
  assert.deepEqual([...kept.keys()], ['alone A'])
  assert.equal(done, 1)
  assert.deepEqual(
    conflicts.map(({ edit: by, theirs, both }) => [keyOf(by), theirs?.records, both?.records]),
    [
      ['torn A', ['192.0.2.1', '192.0.2.6'], ['192.0.2.1', '192.0.2.6', '192.0.2.5']],
      ['gone A', undefined, undefined],
    ],
  )
})

test('merging both sides removes what either side removed', () => {
  const mine = edits(edit('www', a('192.0.2.1', '192.0.2.2'), a('192.0.2.2', '192.0.2.3')))
  const [conflict] = mergeEdits(mine, [rrset('www', '192.0.2.1', '192.0.2.4')]).conflicts
  assert.ok(conflict)
  assert.deepEqual(conflict.both?.records, ['192.0.2.4', '192.0.2.3'])
  assert.deepEqual(settle(conflict, conflict.both ?? null).before?.records, ['192.0.2.1', '192.0.2.4'])
})

test('saving clears only what was sent: later edits stay, and start from the saved values', () => {
  const sent = edits(edit('a', a('192.0.2.1'), a('192.0.2.2')), edit('b', a('192.0.2.1'), null))
  const later = edits(...sent.values(), edit('b', null, a('192.0.2.7', '192.0.2.8')), edit('c', null, a('192.0.2.9')))
  assert.deepEqual(
    [...withoutSaved(later, sent).values()],
    [edit('b', null, a('192.0.2.7', '192.0.2.8')), edit('c', null, a('192.0.2.9'))],
  )
  assert.equal(withoutSaved(sent, sent).size, 0)
})

test('an edit that is undone while it is being saved becomes a reverse edit, unless the person has signed out', () => {
  const sent = edits(edit('a', a('192.0.2.1'), a('192.0.2.2')), edit('b', null, a('192.0.2.3')))
  const wayBack = edit('a', a('192.0.2.2'), a('192.0.2.1'))
  assert.deepEqual([...withoutSaved(withoutEdit(sent, 'a A'), sent).values()], [wayBack])
  assert.deepEqual([...withoutSaved(new Map(), sent).values()], [wayBack, edit('b', a('192.0.2.3'), null)])
  assert.equal(withoutSaved(noEdits, sent).size, 0)
})

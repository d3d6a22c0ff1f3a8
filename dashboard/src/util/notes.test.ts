import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelsFault, labelsIn, notesContain, soughtFirst, wantedNotes } from './notes.ts'

test('labels are separated by spaces or commas, and each counts once', () => {
  assert.deepEqual(labelsIn(' Shop, eu  shop\tv1.2 '), ['shop', 'eu', 'v1.2'])
  assert.equal(labelsFault('shop eu_1'), undefined)
  assert.match(labelsFault('größe') ?? '', /größe is not a label/)
  assert.match(labelsFault('a'.repeat(33)) ?? '', /up to 32/)
  assert.match(labelsFault(Array.from({ length: 21 }, (_, i) => `l${i}`).join(' ')) ?? '', /at most 20/)
})

test('only notes that differ from the stored ones are sent; an empty field removes them', () => {
  assert.equal(wantedNotes({ comment: 'Ours.', labels: ['a'] }, ' Ours. ', 'a'), undefined)
  assert.equal(wantedNotes({}, '', ''), undefined)
  assert.deepEqual(wantedNotes({ comment: 'Ours.' }, '', 'b'), { comment: null, labels: ['b'] })
})

test('a filter finds parts of comments and labels', () => {
  const notes = { comment: 'Ask Ada first.', labels: ['shop'] }
  assert.deepEqual(
    ['ada', 'sho', 'grace'].map((text) => notesContain(notes, text)),
    [true, true, false],
  )
  assert.equal(notesContain({}, 'x'), false)
})

test('the labels that were searched for come first, and the others keep their order', () => {
  assert.deepEqual(soughtFirst(['shop', 'eu', 'customer-1'], 'customer'), ['customer-1', 'shop', 'eu'])
  assert.deepEqual(soughtFirst(['shop', 'eu'], ''), ['shop', 'eu'])
})

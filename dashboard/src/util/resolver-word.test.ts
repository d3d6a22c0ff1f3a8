import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolverWord } from './resolver-word.ts'

const wordOf = (answer: string[] | null, isSame: boolean, ...nameservers: boolean[]) =>
  resolverWord(
    { answer, in_sync: isSame },
    nameservers.map((inSync) => ({ in_sync: inSync })),
  ).label

test('a resolver’s answer differs only if it answers and there is something to compare with', () => {
  assert.equal(wordOf(['192.0.2.1'], true, false, true), 'Answers the same')
  assert.equal(wordOf(['192.0.2.1'], false, false, true), 'Answers something else')
  assert.equal(wordOf([], false, true), 'Answers something else')
  assert.equal(wordOf(null, false, true), 'No answer')
  assert.equal(wordOf(['192.0.2.1'], false, false, false), 'Not compared yet')
  assert.equal(wordOf(['192.0.2.1'], false), 'Not compared yet')
})

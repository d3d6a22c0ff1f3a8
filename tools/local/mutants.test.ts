import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { changedText, faultOf, type Judged, type Mutant, readLists, tallyOf, type Verdict } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const mutant: Mutant = { id: 'too-many', file: 'rules.ts', from: 'a < b', to: 'a <= b', tests: ['rules.test.ts'] }
const noticed: Verdict = { kind: 'noticed', by: 'three are too many' }
const survived: Verdict = { kind: 'survived' }
const stale: Verdict = { kind: 'stale', why: 'the text is in rules.ts 0 times' }
const explained = { ...mutant, explanation: 'a is never b' }

test('a change is made only where its text occurs once and the result is valid TypeScript', () => {
  const text = 'export const isLess = (a: number, b: number): boolean => a < b\n'
  assert.deepEqual(changedText(mutant, text), { text: text.replace('<', '<=') })
  assert.deepEqual(changedText({ ...mutant, to: "'$&'" }, 'a < b'), { text: "'$&'" }, 'nothing in it is a pattern')
  for (const [from, to, what] of [
    ['a > b', 'a >= b', /0 times/],
    ['number', 'string', /2 times/],
    ['a < b', 'a <', /not valid TypeScript/],
  ] as const) {
    const changed = changedText({ ...mutant, from, to }, text)
    assert.match('stale' in changed ? changed.stale : '', what)
  }
})

test('a change that no test notices needs an explanation, and a wrong explanation must be removed', () => {
  assert.equal(faultOf({ mutant, verdict: noticed }), undefined)
  assert.equal(faultOf({ mutant: explained, verdict: survived }), undefined)
  assert.match(faultOf({ mutant, verdict: survived }) ?? '', /Add a test/)
  assert.match(faultOf({ mutant: explained, verdict: noticed }) ?? '', /three are too many.*Remove the explanation/)
  for (const each of [mutant, explained])
    assert.match(faultOf({ mutant: each, verdict: stale }) ?? '', /out of date: the text is in rules.ts 0 times/)
})

test('tests must notice nine of ten changes, and no change may have a fault', () => {
  const judged = (good: number, explanations: number): Judged[] => [
    ...Array.from({ length: good }, () => ({ mutant, verdict: noticed })),
    ...Array.from({ length: explanations }, () => ({ mutant: explained, verdict: survived })),
  ]
  assert.equal(tallyOf(judged(9, 1)).isGood, true)
  assert.equal(tallyOf(judged(8, 1)).isGood, false)
  assert.equal(tallyOf([...judged(99, 0), { mutant, verdict: survived }]).isGood, false)
  assert.equal(tallyOf([...judged(99, 0), { mutant, verdict: stale }]).isGood, false)
  assert.equal(tallyOf([]).isGood, false)
  assert.equal(
    tallyOf([...judged(8, 1), { mutant, verdict: stale }]).text,
    '10 changes: 8 noticed (80.0 %, at least 90 % are required), 1 survived, 1 out of date; 1 with a fault',
  )
})

test('the lists have at least 200 changes, each with its own id', () => {
  const all = listed()
  assert.ok(all.length >= 200, `${all.length} changes`)
  const counts = Map.groupBy(all, ({ id }) => id)
  assert.deepEqual(
    [...counts].filter(([, same]) => same.length > 1).map(([id]) => id),
    [],
  )
  for (const { id, from, to, tests } of all) assert.ok(from !== to && tests.length > 0, id)
})

test('every change in the lists can be made in the current code', () => {
  for (const mutant of listed()) {
    const changed = changedText(mutant, readFileSync(join(root, mutant.file), 'utf8'))
    assert.ok(
      'text' in changed,
      `${mutant.id}: ${'stale' in changed ? changed.stale : ''}. Correct its list in tools/mutants.`,
    )
    for (const file of mutant.tests) assert.ok(existsSync(join(root, file)), `${mutant.id}: there is no ${file}`)
  }
})

test('every part of a pattern for test names matches a test file', () => {
  for (const { id, only = '', tests } of listed()) {
    const text = tests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    for (const part of only.split('|'))
      assert.ok(new RegExp(part).test(text), `${id}: no test is named "${part}". Correct "only" in tools/mutants.`)
  }
})

function listed(): readonly Mutant[] {
  return [...readLists(join(root, 'tools/mutants')).values()].flat()
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainInfo, Reading } from '#ports/registry.ts'
import { refused, shown, silence } from '#testing/registry-readings.ts'
import { judgeSync } from './sync-rules.ts'

test('a domain is gone at once when it is shown with another registrar; when nothing is shown, after two looks an hour apart', () => {
  const verdict = (info: Reading<DomainInfo>, missingForS: number | null = null) =>
    judgeSync(info, undefined, 'zonewright', missingForS)
  assert.deepEqual(verdict(shown('rival')), { kind: 'gone', why: 'transferred' })
  for (const [code, why] of [
    [2303, 'deleted'],
    [2201, 'transferred'],
  ] as const) {
    assert.deepEqual(verdict(refused(code)), { kind: 'missing', afterS: 3_600 })
    assert.deepEqual(verdict(refused(code), 600), { kind: 'missing', afterS: 3_000 })
    assert.deepEqual(verdict(refused(code), 3_600), { kind: 'gone', why })
  }
  assert.equal(verdict(silence, 7_200).kind, 'unseen', 'no answer is none')
  assert.deepEqual(judgeSync(shown('zonewright'), silence, 'zonewright', 600), {
    kind: 'unseen',
    afterS: 900,
    isThere: true,
  })
})

test('a registrar’s id is the same in any letter case', () => {
  assert.equal(judgeSync(shown('ZoneWright'), undefined, 'zonewright', null).kind, 'here')
})

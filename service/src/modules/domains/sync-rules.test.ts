import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainInfo, Reading, TransferStatus } from '#ports/registry.ts'
import { refused, reply, shown, silence, transferred } from '#testing/registry-readings.ts'
import { judgeSync } from './sync-rules.ts'

test('a domain is gone immediately if it has another registrar, and after two lookups an hour apart if it is not shown', () => {
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

test('a transfer to another registrar is shown only while it is pending', () => {
  const shownAs = (status: TransferStatus) => {
    const verdict = judgeSync(shown('zonewright'), transferred(status), 'zonewright', null)
    return verdict.kind === 'here' && verdict.transferOut?.requestedBy
  }
  assert.equal(shownAs('pending'), 'us')
  for (const status of ['clientRejected', 'clientCancelled', 'serverCancelled'] as const)
    assert.equal(shownAs(status), undefined, status)
})

test('a check that fails because of our account at the registry is repeated an hour later', () => {
  const login: Reading<DomainInfo> = { kind: 'fault', fault: 'login', reply: { ...reply, code: 2200 } }
  for (const [info, alert] of [
    [login, /^login: /],
    [refused(2306), /^2306 /],
  ] as const) {
    const verdict = judgeSync(info, undefined, 'zonewright', 7_200)
    assert.deepEqual([verdict.kind, 'afterS' in verdict && verdict.afterS], ['unseen', 3_600])
    assert.match((verdict.kind === 'unseen' && verdict.alert) || '', alert)
  }
})

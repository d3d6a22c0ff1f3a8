import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused, shown, silence } from '#testing/registry-readings.ts'
import { absenceIn, isMissing, isNoTransfer, isNoTransferOfOurs, isOfAnother, untilConfirmedS } from './absence.ts'

test('an absence counts after two lookups, far enough apart, have found it', () => {
  for (const [of, apart] of [
    ['order', 60],
    ['pending', 600],
    ['domain', 3_600],
  ] as const) {
    assert.equal(untilConfirmedS(of, null), apart, `${of}: the first lookup`)
    assert.equal(untilConfirmedS(of, 0), apart, of)
    assert.equal(untilConfirmedS(of, apart - 1), 1, of)
    assert.equal(untilConfirmedS(of, apart), 0, of)
    assert.equal(untilConfirmedS(of, apart * 10), 0, of)
  }
})

test('a refusal means that the object does not exist, that it belongs to another registrar, or neither', () => {
  const codes = [2000, 2201, 2202, 2301, 2303, 2306, 2400]
  const those = (is: (reading: ReturnType<typeof refused>) => boolean) => codes.filter((code) => is(refused(code)))
  assert.deepEqual(those(isMissing), [2303])
  assert.deepEqual(those(isOfAnother), [2201])
  assert.deepEqual(those(isNoTransfer), [2201, 2301])
  assert.deepEqual(those(isNoTransferOfOurs), [2201, 2202, 2301])
  assert.deepEqual(
    [absenceIn(refused(2303)), absenceIn(refused(2201)), absenceIn(refused(2202))],
    ['deleted', 'transferred', undefined],
  )
})

test('an object that is shown, or gets no answer, is not absent', () => {
  for (const reading of [shown('us'), silence]) {
    for (const [name, is] of Object.entries({ isMissing, isOfAnother, isNoTransfer, isNoTransferOfOurs }))
      assert.equal(is(reading), false, name)
    assert.equal(absenceIn(reading), undefined)
  }
  assert.equal(isMissing(undefined), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf } from './outcome.ts'

const reply = (code: number) => ({ code, message: 'so it is', svTrid: 'SV-1' })
const kindOf = (code: number): string => outcomeOf(reply(code), () => null).kind

/** Every result code of RFC 5730 §3. */
const meanings = {
  done: [1000, 1300, 1301, 1500],
  pending: [1001],
  refused: [2004, 2005, 2105, 2106, 2201, 2202, 2300, 2301, 2302, 2303, 2304, 2305, 2306, 2308],
  fault: [2000, 2001, 2002, 2003, 2100, 2101, 2102, 2103, 2104, 2200, 2307],
  unknown: [2400, 2500, 2501, 2502],
} as const

test('every result code of RFC 5730 has one meaning', () => {
  for (const [kind, codes] of Object.entries(meanings))
    for (const code of codes) assert.equal(kindOf(code), kind, String(code))
  assert.equal(Object.values(meanings).flat().length, 34)
})

test("a registry's own code is a refusal in the ranges for which RFC 5730 says so, and otherwise unknown", () => {
  for (const code of [2006, 2309, 2399]) assert.equal(kindOf(code), 'refused', String(code))
  for (const code of [999, 1002, 1999, 2401, 2600]) assert.equal(kindOf(code), 'unknown', String(code))
})

test('an empty account and a refused login are our faults, and distinct from errors in what we sent', () => {
  for (const [code, fault] of [
    [2104, 'balance'],
    [2200, 'login'],
    [2001, 'protocol'],
    [2307, 'protocol'],
  ] as const) {
    assert.deepEqual(
      outcomeOf(reply(code), () => null),
      { kind: 'fault', fault, reply: reply(code) },
    )
  }
})

test('a success without the requested data is unknown; a pending answer may lack it', () => {
  const missing = (): never => {
    throw new Error('no creData')
  }
  assert.equal(outcomeOf(reply(1000), missing).kind, 'unknown')
  assert.deepEqual(outcomeOf(reply(1001), missing), { kind: 'pending', value: null, reply: reply(1001) })
})

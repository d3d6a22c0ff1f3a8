import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, errorStatuses } from '@zonewright/contract'
import { Refusal, type RefusalCode } from '../errors.ts'
import { problemOf } from './problem.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
// Does not compile once a code of the service is missing from the contract, or the other way round.
const sameCodes: Same<RefusalCode, Exclude<ErrorCode, 'internal'>> = true

test('the service refuses with exactly the codes of the contract, "internal" aside, each with its status', () => {
  assert.equal(sameCodes, true)
  const { internal, ...statuses } = errorStatuses
  assert.equal(internal, 500)
  for (const [code, status] of Object.entries(statuses)) {
    const { status: answered, body } = problemOf(new Refusal(code as RefusalCode, 'A reason.'), 'req_1')
    assert.deepEqual([answered, body], [status, { error: { code, message: 'A reason.', request_id: 'req_1' } }])
  }
})

test('details and headers of a refusal are told, and a 401 says how to sign in', () => {
  const details = [{ path: '/name', code: 'bad_name', message: 'No name.' }]
  const problem = problemOf(new Refusal('validation_failed', 'No name.', { details, headers: { 'x-a': 'b' } }), 'req_1')
  assert.deepEqual([problem.body.error.details, problem.headers], [details, { 'x-a': 'b' }])
  assert.deepEqual(problemOf(new Refusal('signed_out', 'x'), 'r').headers, { 'www-authenticate': 'Bearer' })
  assert.deepEqual(problemOf(new Refusal('forbidden', 'x'), 'r').headers, {})
})

test('what is no refusal is a bare 500: nothing of its cause is told', () => {
  for (const thrown of [
    new Error('password=hunter2'),
    'hunter2',
    undefined,
    null,
    { code: 'ENOENT', message: 'hunter2' },
  ]) {
    const { status, body } = problemOf(thrown, 'req_1')
    assert.deepEqual(
      [status, body.error.code, body.error.request_id, body.error.details],
      [500, 'internal', 'req_1', undefined],
    )
    assert.doesNotMatch(JSON.stringify(body), /hunter2|ENOENT/)
  }
})

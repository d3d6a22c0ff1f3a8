import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorStatuses } from '@zonewright/contract'
import { Refusal } from '../errors.ts'
import { problemOf } from './problem.ts'

test('a refusal with any code of the contract except "internal" has the status of its code', () => {
  const { internal, ...statuses } = errorStatuses
  assert.equal(internal, 500)
  for (const [code, status] of Object.entries(statuses)) {
    const { status: answered, body } = problemOf(new Refusal(code as Refusal['code'], 'A reason.'), 'req_1')
    assert.deepEqual([answered, body], [status, { error: { code, message: 'A reason.', request_id: 'req_1' } }])
  }
})

test('a response keeps the details and headers of a refusal, and a 401 says how to sign in', () => {
  const details = [{ path: '/name', code: 'bad_name', message: 'No name.' }]
  const problem = problemOf(new Refusal('validation_failed', 'No name.', { details, headers: { 'x-a': 'b' } }), 'req_1')
  assert.deepEqual([problem.body.error.details, problem.headers], [details, { 'x-a': 'b' }])
  assert.deepEqual(problemOf(new Refusal('signed_out', 'x'), 'r').headers, { 'www-authenticate': 'Bearer' })
  assert.deepEqual(problemOf(new Refusal('forbidden', 'x'), 'r').headers, {})
})

test('anything other than a refusal is a bare 500 that reveals nothing about its cause', () => {
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

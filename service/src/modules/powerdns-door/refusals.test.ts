import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorStatuses } from '@zonewright/contract'
import { powerdnsRefusal } from './refusals.ts'

const refusalOf = (code: keyof typeof errorStatuses) => {
  const error = { code, message: 'It cannot be done.', request_id: 'req_1' }
  return powerdnsRefusal({ status: errorStatuses[code], headers: {}, body: { error } })
}

test('a refusal that the client can fix is JSON, and every other one is text', () => {
  for (const [code, status] of Object.entries(errorStatuses)) {
    const isText = [401, 403, 429].includes(status) || status >= 500
    const { type, body } = refusalOf(code as keyof typeof errorStatuses)
    assert.equal(type, isText ? 'text/plain; charset=utf-8' : 'application/json', code)
    if (isText) assert.equal(body, 'It cannot be done.\n', code)
    else assert.deepEqual(Object.keys(JSON.parse(body)), ['error'], code)
  }
})

test('returns the statuses and sentences that PowerDNS clients know', () => {
  const json = (code: keyof typeof errorStatuses) => {
    const { status, body } = refusalOf(code)
    return [status, JSON.parse(body).error]
  }
  assert.deepEqual(json('not_found'), [404, 'Not Found'])
  assert.deepEqual(json('zone_exists'), [409, 'Conflict'])
  assert.deepEqual(json('malformed_request'), [400, 'It cannot be done.'])
  assert.deepEqual(json('payload_too_large'), [413, 'It cannot be done.'])
  for (const code of ['validation_failed', 'service_owned', 'zone_limit', 'conflict', 'precondition_failed'] as const)
    assert.deepEqual(json(code), [422, 'It cannot be done.'], code)
})

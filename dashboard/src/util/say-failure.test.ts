import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiFailure, type FailureCode } from '../api/failure.ts'
import { sayFailure } from './say-failure.ts'

const faults = [
  { code: 'bad_rdata', message: 'A needs an IPv4 address.', line: 3 },
  { code: 'bad_name', message: 'This is not a name.' },
]

test('each of several errors is shown, with its line if it has one', () => {
  const said = sayFailure(new ApiFailure('validation_failed', 'Nothing was saved.', { status: 422, details: faults }))
  assert.equal(said.message, 'Nothing was saved.')
  assert.deepEqual(said.details, ['Line 3: A needs an IPv4 address.', 'This is not a name.'])
})

test('a single error that the message already contains is not repeated, and any other is shown', () => {
  const detailsOf = (message: string) =>
    sayFailure(new ApiFailure('validation_failed', message, { status: 422, details: faults.slice(1) })).details
  assert.deepEqual(detailsOf('records[0]: This is not a name.'), [])
  assert.deepEqual(detailsOf('Nothing was saved.'), ['This is not a name.'])
  assert.deepEqual(
    sayFailure(new ApiFailure('validation_failed', 'This is not a name.', { status: 422, details: faults })).details
      .length,
    2,
  )
})

test('a JSON pointer before a single error becomes the name of the field', () => {
  const messageOf = (path: string, message = `${path}: It is wrong.`) => {
    const details = [{ code: 'wrong', path, message: 'It is wrong.' }]
    return sayFailure(new ApiFailure('validation_failed', message, { status: 422, details })).message
  }
  assert.equal(messageOf('/secondaries/0/address'), 'Address: It is wrong.')
  assert.equal(messageOf('/ns_name'), 'NS name: It is wrong.')
  assert.equal(messageOf('/records/1'), 'Records 2: It is wrong.')
  assert.equal(messageOf('query/limit'), 'query/limit: It is wrong.')
  assert.equal(messageOf('/name', 'Nothing was saved: It is wrong.'), 'Nothing was saved: It is wrong.')
})

test('messages that the API writes for programs are reworded for people', () => {
  const messageOf = (code: FailureCode, message: string, details: { code: string; message: string }[] = []) =>
    sayFailure(new ApiFailure(code, message, { status: 400, details })).message
  assert.equal(
    messageOf(
      'signed_out',
      'This request has no API key and no valid session. Send a key as "Authorization: Bearer …".',
    ),
    'Sign in again to continue.',
  )
  assert.equal(
    messageOf('forbidden', 'A session can make changes only from pages of https://dns.test. Check the Origin header.'),
    'A session can make changes only from pages of https://dns.test.',
  )
  assert.match(messageOf('malformed_request', 'The body is empty. Send JSON.'), /Reload the page/)
  assert.match(messageOf('conflict', 'The first call with this Idempotency-Key did not finish.'), /still in progress/)
  assert.equal(messageOf('conflict', 'A key named "header" already exists.'), 'A key named "header" already exists.')
  assert.equal(messageOf('validation_failed', 'The name is not valid: "PUT /x".'), 'The name is not valid: "PUT /x".')
  const detail = { code: 'wrong', message: 'This is a form. Send the zone file itself as the body.' }
  assert.deepEqual(
    sayFailure(new ApiFailure('validation_failed', 'Nothing was imported.', { status: 422, details: [detail] }))
      .details,
    ['This is a form.'],
  )
})

test('the request id is shown only if the service is at fault', () => {
  const referenceOf = (status: number) =>
    sayFailure(new ApiFailure('internal', 'Failed.', { status, requestId: 'req_1' })).reference
  assert.deepEqual([0, 404, 422, 499, 500, 503].map(referenceOf), [
    undefined,
    undefined,
    undefined,
    undefined,
    'req_1',
    'req_1',
  ])
})

test('errors of the page itself are not quoted', () => {
  for (const error of [new Error('secret'), 'secret', undefined]) {
    const said = sayFailure(error)
    assert.doesNotMatch(JSON.stringify(said), /secret/)
    assert.deepEqual([said.details, said.reference], [[], undefined])
  }
})

test('names in errors are written as people write them', () => {
  const message = 'This account already has the zone xn--bcher-kva.example (live).'
  assert.match(sayFailure(new ApiFailure('zone_exists', message, { status: 409 })).message, /the zone bücher\.example /)
})

test('a conflict has its cause as the title, and the advice as the message', () => {
  const saidOf = (message: string) => {
    const { title, message: advice } = sayFailure(new ApiFailure('conflict', message, { status: 409 }))
    return [title, advice]
  }
  assert.deepEqual(saidOf('You did not continue at Acme. Try again.'), ['You did not continue at Acme', 'Try again.'])
  assert.deepEqual(saidOf('A key named "a. b" already exists.'), [
    'This did not work',
    'A key named "a. b" already exists.',
  ])
})

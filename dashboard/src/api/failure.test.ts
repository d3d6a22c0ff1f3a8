import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from './failure.ts'

test('a lost session is also recognized at the sign-in routes, and is not confused with a refusal', async () => {
  const codeOf = async (body: object, status = 401) => (await failureOf(Response.json(body, { status }))).code
  assert.equal(await codeOf({ code: 'UNAUTHORIZED', message: 'Unauthorized' }), 'signed_out')
  assert.equal(
    await codeOf({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }),
    'INVALID_EMAIL_OR_PASSWORD',
  )
  assert.equal(await codeOf({ error: { code: 'signed_out', message: 'Sign in.', request_id: 'req_1' } }), 'signed_out')
  assert.equal(await codeOf({ message: 'No.' }, 403), 'forbidden')
})

test('a proxy’s response to a request that is too large is reported as such, and not as a restart', async () => {
  const page = new Response('<html>413 Request Entity Too Large</html>', { status: 413 })
  const { code, message } = await failureOf(page)
  assert.equal(code, 'payload_too_large')
  assert.doesNotMatch(message, /restarting/)
})

test('a two-factor code entered after ten minutes produces a message to enter the password again', async () => {
  const body = { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'Invalid two factor cookie' }
  const { code, message } = await failureOf(Response.json(body, { status: 401 }))
  assert.equal(code, 'code_too_late')
  assert.match(message, /sign in with your password again/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from './failure.ts'

test('a session that is lost is known at the sign-in routes, too, from what was merely refused', async () => {
  const codeOf = async (body: object, status = 401) => (await failureOf(Response.json(body, { status }))).code
  assert.equal(await codeOf({ code: 'UNAUTHORIZED', message: 'Unauthorized' }), 'signed_out')
  assert.equal(
    await codeOf({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }),
    'INVALID_EMAIL_OR_PASSWORD',
  )
  assert.equal(await codeOf({ error: { code: 'signed_out', message: 'Sign in.', request_id: 'req_1' } }), 'signed_out')
  assert.equal(await codeOf({ message: 'No.' }, 403), 'forbidden')
})

test('what a proxy refuses as too large is told as that, and not as a restart', async () => {
  const page = new Response('<html>413 Request Entity Too Large</html>', { status: 413 })
  const { code, message } = await failureOf(page)
  assert.equal(code, 'payload_too_large')
  assert.doesNotMatch(message, /restarting/)
})

test('a code of the second factor that comes after ten minutes is said to need the password again', async () => {
  const body = { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'Invalid two factor cookie' }
  const { code, message } = await failureOf(Response.json(body, { status: 401 }))
  assert.equal(code, 'code_too_late')
  assert.match(message, /sign in with your password again/)
})

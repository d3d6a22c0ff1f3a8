import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { pino } from 'pino'
import { keepMails } from '#testing/kept-mails.ts'
import { startTestApi, testOrigin } from '#testing/test-api.ts'
import { createAuth } from './auth.ts'
import { queuedMails } from './queued-mails.ts'

const { database, verification } = await startTestApi()

test('the log quotes at most 200 characters of a request to better-auth', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const mails = keepMails(queuedMails({ secrets: verification.secrets, site: testOrigin }))
  const auth = createAuth({
    ...{ database, log, mails, publicUrl: testOrigin },
    mail: { secrets: verification.secrets, site: testOrigin },
    providers: { all: [], close: async () => undefined },
    ...{ secretKey: randomBytes(32), secretKeyFallback: undefined },
  })
  const long = 'Qz9-'.repeat(3_000)
  for (const [path, origin, more] of [
    ['/sign-in/email', `https://${long}.example`, {}],
    ['/sign-in/email', testOrigin, { callbackURL: `https://${long}.example` }],
    ['/request-password-reset', testOrigin, { redirectTo: `https://${long}.example` }],
    ['/request-password-reset', testOrigin, { redirectTo: long }],
    ['/sign-in/email', testOrigin, { errorCallbackURL: `//${long}` }],
  ] as const) {
    const request = new Request(`${testOrigin}/api/auth${path}`, {
      method: 'POST',
      headers: { origin, cookie: 'a=b', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.net', password: 'correct horse battery', ...more }),
    })
    assert.equal((await auth.handler(request)).status, 403, `${path} ${JSON.stringify(more).slice(0, 40)}`)
  }
  assert.equal(lines.length, 5)
  for (const line of lines) {
    assert.match(line, /Qz9-/)
    assert.ok(!line.includes(long.slice(0, 201)) && line.length < 500, line.slice(0, 600))
  }
})

test('refuses a NUL character in the URL before any lookup', async () => {
  const api = await startTestApi()
  const headers = { origin: testOrigin, 'content-type': 'application/json' }
  for (const [method, path] of [
    ['POST', '/api/auth/reset-password?token=%00'],
    ['GET', '/api/auth/reset-password/a%00b?callbackURL=%2F'],
    ['POST', '/api/auth/sign-in/email?x=%00'],
  ] as const) {
    const body =
      method === 'POST' ? { newPassword: 'correct horse battery', email: 'a@example.net', password: 'x' } : undefined
    const answer = await api.call(method, path, { prefix: '', headers, ...(body && { body: JSON.stringify(body) }) })
    assert.equal(answer.status, 422, path)
    assert.equal(answer.body.error.code, 'validation_failed')
  }
})

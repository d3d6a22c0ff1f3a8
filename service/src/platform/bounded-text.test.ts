import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { boundedMessage, firstCharacters } from './bounded-text.ts'
import { Refusal } from './errors.ts'
import { problemOf } from './http/problem.ts'

test('a message repeats at most 200 characters of a text without white space', () => {
  assert.equal(boundedMessage('Short.'), 'Short.')
  const name = `${'label.'.repeat(50)}example.com`
  assert.equal(boundedMessage(`${name} has A records.`), `${name.slice(0, 200)}… has A records.`)
  assert.equal(
    boundedMessage(`Write \`"${name}"\`.`),
    `Write \`"${name.slice(0, 200)}…`,
    'quotation marks are not counted',
  )
  assert.ok(boundedMessage('a b '.repeat(1_000)).length <= 1_001)
  assert.equal(firstCharacters(`${'x'.repeat(199)}😀y`), `${'x'.repeat(199)}\ufffd…`)
})

test('every refusal lists at most 100 faults and has at most 64 KiB', () => {
  const fault = (message: string) => ({ path: `/${'p'.repeat(300)}`, code: 'bad', message })
  for (const message of ['x'.repeat(10_000), 'é '.repeat(5_000), '\0'.repeat(5_000), '😀'.repeat(3_000), 'short']) {
    const details = Array.from({ length: 500 }, () => fault(message))
    const { body } = problemOf(new Refusal('conflict', message, { details }), 'req_1')
    const listed = body.error.details ?? []
    assert.ok(listed.length > 0 && listed.length <= Refusal.maxFaults)
    assert.ok(Buffer.byteLength(JSON.stringify(body)) < 63 * 1024)
    assert.match(body.error.message, /\(and more\)$/)
    for (const { path = '' } of listed) assert.ok(path.length <= 201)
  }
})

test('the message of a refusal counts the faults, up to a hundred', () => {
  const faults = (count: number) => Array.from({ length: count }, () => ({ path: '/a', code: 'x', message: 'No.' }))
  assert.equal(Refusal.of(faults(1)).message, '/a: No.')
  assert.equal(Refusal.of(faults(100)).message, '/a: No. (and 99 more)')
  assert.equal(Refusal.of(faults(101)).message, '/a: No. (and more)')
  assert.equal(Refusal.of([]).code, 'validation_failed')
  assert.equal(Refusal.of([{ code: 'service_owned', message: 'Ours.' }]).code, 'service_owned')
})

test('each text of a logged error repeats at most 200 characters of an input', () => {
  const program = `
    import { createLogger } from ${JSON.stringify(fileURLToPath(new URL('./log.ts', import.meta.url)))}
    const input = 'v'.repeat(100_000)
    const error = Object.assign(new Error('bad value ' + input, { cause: new Error(input) }), { detail: 'Failing row (' + input, where: { a: [input] } })
    createLogger('test', 'info').error({ err: error }, 'request failed')`
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const line = JSON.parse(stderr)
  assert.match(line.err.message, /^bad value v{200}…/)
  assert.match(line.err.stack, /Error: bad value/)
  assert.ok(!stderr.includes('v'.repeat(201)))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectRequestIn } from './connect-request.ts'

const link = '/v2/domainTemplates/providers/p.example/services/s/apply?domain=example.com&a=%2b+%C3%A9~?/&b=>>>'

test('the link is decoded from the fragment byte for byte', () => {
  const encoded = Buffer.from(link, 'latin1').toString('base64url')
  assert.equal(connectRequestIn(encoded), link)
  assert.equal(connectRequestIn(`#${encoded}`), link)
  for (const length of [1, 2, 3, 4]) {
    const text = 'x'.repeat(length)
    assert.equal(connectRequestIn(Buffer.from(text).toString('base64url')), text)
  }
})

test('a fragment without a link yields none', () => {
  for (const fragment of ['', '#', 'a b', 'a.b', 'é', 'A', '<script>'])
    assert.equal(connectRequestIn(fragment), undefined)
})

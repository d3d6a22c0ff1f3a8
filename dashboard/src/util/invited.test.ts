import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invitedIn } from './invited.ts'

test('the address of an invitation is read from the page that sign-in leads back to', () => {
  assert.equal(invitedIn('/app/zones?q=x&invited=a%2Bb%40example.net'), 'a+b@example.net')
  for (const none of [undefined, '', '/zones', '/zones?q=invited', 'invited=a@example.net'])
    assert.equal(invitedIn(none), undefined)
})

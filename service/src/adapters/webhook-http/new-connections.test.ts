import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewConnections } from './new-connections.ts'

test('a connection made while a request is under way is seen by it, and by no request to another host', async () => {
  const connections = new NewConnections()
  await connections.during('a.example.com:443', async (sinceNow) => {
    const first = sinceNow()
    assert.equal(first(), false)
    connections.made('b.example.com:443')
    assert.equal(first(), false)
    connections.made('a.example.com:443')
    assert.deepEqual([first(), sinceNow()()], [true, false])
  })
})

test('a host is forgotten when the last request to it has ended, however it ended', async () => {
  const connections = new NewConnections()
  const first = Promise.withResolvers<void>()
  const under = [
    connections.during('a.example.com:443', () => first.promise),
    connections.during('a.example.com:443', async () => Promise.reject(new Error('reset'))).catch(() => undefined),
  ]
  await under[1]
  assert.equal(connections.size, 1)
  first.resolve()
  await Promise.all(under)
  assert.equal(connections.size, 0)
  connections.made('a.example.com:443')
  assert.equal(connections.size, 0)
})

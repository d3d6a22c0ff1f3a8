import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Presence } from './presence.ts'

function presence() {
  let nowMs = 0
  const changes: boolean[] = []
  const one = new Presence(
    async () => false,
    (isAway) => changes.push(isAway),
    () => nowMs,
  )
  return { one, changes, at: (ms: number) => (nowMs = ms) }
}

test('a nameserver is away once queries have gone unanswered for two seconds', (t) => {
  const { one, changes, at } = presence()
  t.after(() => one.stop())
  for (const ms of [1_000, 1_600, 2_200, 2_800, 3_000]) {
    at(ms)
    one.note(false)
  }
  assert.deepEqual(changes, [])
  at(3_001)
  one.note(false)
  assert.deepEqual(changes, [true])
})

test('a time without queries does not count as silence', (t) => {
  const { one, changes, at } = presence()
  t.after(() => one.stop())
  one.note(true)
  at(60_000)
  for (let i = 0; i < 256; i++) one.note(false)
  assert.deepEqual(changes, [])
  one.note(true)
  at(70_000)
  for (let i = 0; i < 256; i++) one.note(false)
  assert.deepEqual(changes, [])
})

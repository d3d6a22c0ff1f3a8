import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bell } from './bell.ts'

test('every listener is called each time until it unsubscribes', () => {
  const bell = new Bell()
  const heard: string[] = []
  const { listen } = bell
  const stop = listen(() => heard.push('a'))
  listen(() => heard.push('b'))
  bell.tell()
  stop()
  bell.tell()
  assert.deepEqual(heard, ['a', 'b', 'b'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { Turns } from './turns.ts'

test('work of one key runs in the order requested, each after the previous one, however that ended', async () => {
  const turns = new Turns(60_000, 10)
  const gate = Promise.withResolvers<void>()
  const seen: string[] = []
  const first = turns.take('a', async () => {
    await gate.promise
    seen.push('first')
    throw new RangeError('first')
  })
  const others = ['second', 'third'].map((name) => turns.take('a', async () => seen.push(name)))
  await turns.take('b', async () => seen.push('of another key'))
  gate.resolve()
  await assert.rejects(first, RangeError)
  await Promise.all(others)
  assert.deepEqual(seen, ['of another key', 'first', 'second', 'third'])
  await turns.take('a', async () => seen.push('later'))
  assert.equal(seen.at(-1), 'later')
})

test('a caller that waits too long is refused, and those behind it are not', async () => {
  const turns = new Turns(1, 10)
  const gate = Promise.withResolvers<void>()
  const first = turns.take('a', () => gate.promise)
  let isBegun = false
  await assert.rejects(
    turns.take('a', async () => {
      isBegun = true
    }),
    (error) => error instanceof Refusal && error.code === 'unavailable',
  )
  gate.resolve()
  await first
  assert.equal(isBegun, false)
  assert.equal(await turns.take('a', async () => 'in turn'), 'in turn')
})

test('if too many wait for a key, further work is refused at once with Retry-After; other keys continue', async () => {
  const turns = new Turns(60_000, 3)
  const gate = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 4 }, () => turns.take('a', () => gate.promise))
  for (let i = 0; i < 5; i++)
    await assert.rejects(
      turns.take('a', async () => undefined),
      (error) => error instanceof Refusal && error.code === 'unavailable' && error.headers['retry-after'] === '5',
    )
  assert.equal(await turns.take('b', async () => 'b'), 'b')
  gate.resolve()
  await Promise.all(waiting)
  assert.equal(await turns.take('a', async () => 'a'), 'a')
})

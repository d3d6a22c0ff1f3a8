import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { standStill } from '#testing/stand-still.ts'
import { Deadline } from './deadline.ts'

test('a deadline that is not met is missed once, when its time is up', async () => {
  const began = performance.now()
  let misses = 0
  await new Promise<void>((resolve) => {
    new Deadline(30, () => {
      misses += 1
      resolve()
    })
  })
  assert.ok(performance.now() - began > 29)
  await turns()
  assert.equal(misses, 1)
})

test('a deadline is met by an answer that arrived at a socket while the process stood still', async (t) => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  const sender = createSocket('udp4')
  t.after(() => sender.close())
  sender.connect(socket.address().port, '127.0.0.1')
  await once(sender, 'connect')
  const missed: number[] = []
  let heard = 0
  const deadlines = Array.from({ length: 100 }, (_, n) => new Deadline(20, () => missed.push(n)))
  socket.on('message', () => deadlines[heard++]?.met())
  for (const _ of deadlines) sender.send('answer')
  standStill(40)
  while (heard < deadlines.length) await turns()
  assert.deepEqual(missed, [])
})

test('a deadline that was met is never missed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let misses = 0
  const [early, late] = [new Deadline(10, () => (misses += 1)), new Deadline(10, () => (misses += 1))]
  early.met()
  t.mock.timers.tick(10)
  late.met()
  await turns()
  assert.equal(misses, 0)
})

/** As many turns of the event loop as a deadline can wait for, and some more. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await nextTurn()
}

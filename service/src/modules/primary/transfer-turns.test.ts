import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { TransferTurns } from './transfer-turns.ts'

test('thirty-two whole zones are in progress at once; each one that ends lets the next one start', async () => {
  const turns = new TransferTurns()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const transfers = Array.from({ length: 40 }, (_, i) =>
    turns.run(async () => {
      begun.push(i)
      await new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  await turn()
  assert.equal(begun.length, 32)
  ends[5]?.()
  await turn()
  assert.deepEqual(begun.slice(32), [32])
  for (let i = 0; i < 40; i++) {
    ends[i]?.()
    await turn()
  }
  await Promise.all(transfers)
  assert.equal(begun.length, 40)
})

test('transfers take turns, with one message of one of them in each round of the event loop', async () => {
  const turns = new TransferTurns()
  const sent: string[] = []
  const transfer = async (name: string): Promise<void> => {
    for (let message = 1; message <= 3; message++) {
      sent.push(`${name}${message}`)
      await turns.next()
    }
  }
  const both = Promise.all([transfer('a'), transfer('b')])
  for (let round = 1; round <= 4; round++) {
    const before = sent.length
    await turn()
    assert.ok(sent.length - before <= 1, sent.join(' '))
  }
  await both
  assert.deepEqual(sent, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
})

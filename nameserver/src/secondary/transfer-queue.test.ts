import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseName } from '@zonewright/dns'
import { eventually } from '../testing/eventually.ts'
import { SecondaryZone } from './secondary-zone.ts'
import { type QueueLimits, TransferQueue } from './transfer-queue.ts'

const limits: QueueLimits = { transfers: 2, coldTransfers: 1, checks: 1 }

/** A queue whose runs go on until they are ended by hand. */
function byHand() {
  const running = new Map<string, () => void>()
  const begun: string[] = []
  const queue = new TransferQueue(limits, ({ origin }, lane) => {
    begun.push(`${lane} ${origin}`)
    return new Promise((resolve) => running.set(origin, resolve))
  })
  const end = (name: string) => running.get(name)?.()
  return { queue, begun, end }
}

function zone(name: string): SecondaryZone {
  return new SecondaryZone(parseName(name), 'label')
}

describe('the queue', () => {
  it('starts nothing before it is opened, then the most urgent first, within its limits', async () => {
    const { queue, begun, end } = byHand()
    for (const name of ['c1.', 'c2.']) queue.request(zone(name), 'cold')
    queue.request(zone('s1.'), 'stale')
    for (const name of ['k1.', 'k2.']) queue.request(zone(name), 'check')
    queue.request(zone('n1.'), 'notified')
    queue.request(zone('cat.'), 'catalog')
    assert.equal(begun.length, 0)
    queue.open()
    assert.deepEqual(begun, ['catalog cat.', 'notified n1.', 'check k1.'])
    end('n1.')
    await eventually('the next one', () => begun.length === 4)
    assert.equal(begun[3], 'stale s1.')
    end('s1.')
    await eventually('the next one', () => begun.length === 5)
    assert.equal(begun[4], 'cold c1.')
    end('cat.')
    queue.request(zone('n2.'), 'notified')
    assert.equal(begun.filter((line) => line.startsWith('cold')).length, 1)
  })

  it('lets a zone wait once, in the most urgent lane it was requested for', () => {
    const { queue, begun } = byHand()
    const one = zone('one.')
    queue.request(one, 'cold')
    queue.request(one, 'notified')
    queue.request(one, 'check')
    queue.open()
    assert.deepEqual(begun, ['notified one.'])
  })

  it('makes one more run of all requests that come during a run, and none for a zone forgotten', async () => {
    const { queue, begun, end } = byHand()
    const [one, gone] = [zone('one.'), zone('gone.')]
    queue.open()
    for (const each of [one, gone]) queue.request(each, 'notified')
    for (let round = 0; round < 5; round++) for (const each of [one, gone]) queue.request(each, 'notified')
    queue.forget(gone)
    for (const name of ['gone.', 'one.']) end(name)
    await eventually('one more run', () => begun.length === 3)
    end('one.')
    queue.request(zone('last.'), 'notified')
    await eventually('the last run', () => begun.at(-1) === 'notified last.')
    assert.deepEqual(begun, ['notified one.', 'notified gone.', 'notified one.', 'notified last.'])
  })
})

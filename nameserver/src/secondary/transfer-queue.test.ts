import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseName } from '@zonewright/dns'
import { eventually } from '../testing/eventually.ts'
import { SecondaryZone } from './secondary-zone.ts'
import { type QueueLimits, TransferQueue, usualQueueLimits } from './transfer-queue.ts'

const limits: QueueLimits = { transfers: 2, coldTransfers: 1, checks: 1 }

/** A queue whose runs continue until the test ends them. */
function byHand(within = limits) {
  const running = new Map<string, () => void>()
  const begun: string[] = []
  const queue = new TransferQueue(within, ({ origin }, lane) => {
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
  it('starts nothing before it is opened, and then the most urgent runs first, within its limits', async () => {
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

  it('queues a zone once, in the most urgent lane it was requested for', () => {
    const { queue, begun } = byHand()
    const one = zone('one.')
    queue.request(one, 'cold')
    queue.request(one, 'notified')
    queue.request(one, 'check')
    queue.open()
    assert.deepEqual(begun, ['notified one.'])
  })

  it('makes one more run for all requests that arrive during a run, and none for a forgotten zone', async () => {
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

  it('reserves capacity for changes while many zones wait for their first transfer', async () => {
    const { queue, begun, end } = byHand({ transfers: 4, coldTransfers: 2, checks: 1 })
    queue.open()
    for (const name of ['c1.', 'c2.', 'c3.', 'c4.', 'c5.']) queue.request(zone(name), 'cold')
    assert.deepEqual(begun, ['cold c1.', 'cold c2.'])
    for (const name of ['n1.', 'n2.', 'n3.']) queue.request(zone(name), 'notified')
    assert.deepEqual(begun.slice(2), ['notified n1.', 'notified n2.'], 'four at once, whatever they are')
    end('n1.')
    await eventually('the next one', () => begun.length === 5)
    end('n2.')
    end('n3.')
    end('c1.')
    await eventually('the next one', () => begun.length === 6)
    assert.deepEqual(begun.slice(4), ['notified n3.', 'cold c3.'])
    assert.ok(usualQueueLimits.coldTransfers < usualQueueLimits.transfers)
  })

  it('counts every run except a check as a transfer, and runs the catalog in any case', async () => {
    const { queue, begun, end } = byHand({ transfers: 3, coldTransfers: 3, checks: 2 })
    queue.open()
    queue.request(zone('n1.'), 'notified')
    queue.request(zone('s1.'), 'stale')
    queue.request(zone('c1.'), 'cold')
    queue.request(zone('cat.'), 'catalog')
    for (const name of ['k1.', 'k2.', 'k3.']) queue.request(zone(name), 'check')
    assert.deepEqual(begun, ['notified n1.', 'stale s1.', 'cold c1.', 'catalog cat.', 'check k1.', 'check k2.'])
    queue.request(zone('s2.'), 'stale')
    queue.request(zone('c2.'), 'cold')
    queue.request(zone('n2.'), 'notified')
    end('n1.')
    end('k1.')
    await eventually('the next check', () => begun.length === 7)
    assert.equal(begun[6], 'check k3.', 'the catalog takes a place, too')
    end('cat.')
    await eventually('the next transfer', () => begun.length === 8)
    assert.equal(begun[7], 'notified n2.')
  })

  it('starts nothing new once it is shut, and continues when it is opened again', async () => {
    const { queue, begun, end } = byHand()
    const one = zone('one.')
    queue.open()
    queue.request(one, 'notified')
    queue.shut()
    queue.request(zone('cat.'), 'catalog')
    queue.request(zone('k1.'), 'check')
    queue.request(one, 'notified')
    end('one.')
    await new Promise(setImmediate)
    assert.deepEqual(begun, ['notified one.'])
    queue.open()
    assert.deepEqual(begun, ['notified one.', 'catalog cat.', 'notified one.', 'check k1.'])
  })

  it('forgets the pending request of a zone', () => {
    const { queue, begun } = byHand()
    const gone = zone('gone.')
    queue.request(gone, 'stale')
    queue.forget(gone)
    queue.open()
    assert.deepEqual(begun, [])
    queue.request(gone, 'stale')
    assert.deepEqual(begun, ['stale gone.'])
  })

  it('makes the additional run in the most urgent lane that was requested in the meantime', async () => {
    const { queue, begun, end } = byHand()
    const one = zone('one.')
    queue.open()
    queue.request(one, 'check')
    for (const lane of ['cold', 'notified', 'stale'] as const) queue.request(one, lane)
    end('one.')
    await eventually('one more run', () => begun.length === 2)
    assert.deepEqual(begun, ['check one.', 'notified one.'])
  })
})

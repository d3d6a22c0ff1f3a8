import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../testing/eventually.ts'
import { Agenda } from './agenda.ts'

class Item {
  nextAtMs: number
  enteredAtMs = Number.POSITIVE_INFINITY
  constructor(nextAtMs: number) {
    this.nextAtMs = nextAtMs
  }
}

/** An agenda that records which items were due, and never makes them due again. */
function watched() {
  const due: Item[] = []
  const agenda = new Agenda<Item>(
    (item) => {
      due.push(item)
      item.nextAtMs = Number.POSITIVE_INFINITY
    },
    () => assert.fail('the clock was not set'),
  )
  return { due, agenda }
}

describe('the agenda', () => {
  it('processes every item when it is due, in order of time', async () => {
    const { due, agenda } = watched()
    const now = Date.now()
    const items = Array.from({ length: 500 }, (_, index) => new Item(now + ((index * 37) % 50)))
    for (const item of items) agenda.set(item)
    await eventually('all are due', () => due.length === items.length)
    assert.equal(new Set(due).size, items.length)
    agenda.stop()
  })

  it('processes items that are overdue at the same moment in order of time', async () => {
    const due: number[] = []
    const agenda = new Agenda<Item & { readonly dueAtMs: number }>(
      (item) => {
        due.push(item.dueAtMs)
        item.nextAtMs = Number.POSITIVE_INFINITY
      },
      () => assert.fail('the clock was not set'),
    )
    const longAgo = Date.now() - 60_000
    const times = Array.from({ length: 100 }, (_, index) => longAgo + ((index * 37) % 101))
    for (const at of times) agenda.set(Object.assign(new Item(at), { dueAtMs: at }))
    await eventually('all are due', () => due.length === times.length)
    assert.deepEqual(
      due,
      times.toSorted((a, b) => a - b),
    )
    agenda.stop()
  })

  it('applies dates that are moved later or earlier, and forgets deleted items', async () => {
    const { due, agenda } = watched()
    const now = Date.now()
    const [later, sooner, gone, last] = [new Item(now), new Item(now + 60_000), new Item(now + 5), new Item(now + 40)]
    for (const item of [later, sooner, gone, last]) agenda.set(item)
    later.nextAtMs = now + 60_000
    agenda.set(later)
    sooner.nextAtMs = now + 10
    agenda.set(sooner)
    agenda.delete(gone)
    await eventually('the last one is due', () => due.includes(last))
    assert.deepEqual(due, [sooner, last])
    agenda.stop()
  })

  it('reports a clock that is set back, but not one that is set ahead', async (test) => {
    const due: Item[] = []
    let setBack = 0
    const agenda = new Agenda<Item>(
      (item) => {
        due.push(item)
        item.nextAtMs = Number.POSITIVE_INFINITY
      },
      () => {
        setBack += 1
      },
    )
    const { now } = Date
    const ahead = test.mock.method(Date, 'now', () => now() + 3_600_000)
    agenda.set(new Item(Date.now()))
    await eventually('the first is due', () => due.length === 1)
    assert.equal(setBack, 0)
    ahead.mock.restore()
    agenda.set(new Item(Date.now()))
    await eventually('the second is due', () => due.length === 2)
    assert.equal(setBack, 1)
    agenda.stop()
  })
})

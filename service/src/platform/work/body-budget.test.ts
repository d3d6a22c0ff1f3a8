import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyBudget, BudgetExceeded } from './body-budget.ts'

const goesOn = new AbortController().signal

/** Holds bytes until the test ends it. `inside` records the order. */
function holder(bodyBudget: BodyBudget, inside: string[]) {
  return (name: string, bytes: number, signal = goesOn) => {
    const ended = Promise.withResolvers<void>()
    const held = bodyBudget.holding(bytes, signal, async () => {
      inside.push(name)
      await ended.promise
    })
    const end = async () => {
      ended.resolve()
      await held
    }
    return { held, end }
  }
}

test('what fits is held at once, the rest in turn; work that needs more than the whole limit runs alone', async () => {
  const inside: string[] = []
  const hold = holder(new BodyBudget({ bytes: 100, waitMs: 60_000 }), inside)
  const [a, b, c, larger, d] = [hold('a', 60), hold('b', 30), hold('c', 20), hold('larger', 500), hold('d', 1)]
  await b.end()
  assert.deepEqual(inside, ['a', 'b', 'c'])
  await a.end()
  assert.deepEqual(inside, ['a', 'b', 'c'], 'not beside another, nor is it overtaken')
  await c.end()
  assert.deepEqual(inside, ['a', 'b', 'c', 'larger'])
  await larger.end()
  await d.end()
  assert.deepEqual(inside, ['a', 'b', 'c', 'larger', 'd'])
})

test('work that finds no room in time, or before the process stops, gives up, and the next one gets its turn', async () => {
  const inside: string[] = []
  const hold = holder(new BodyBudget({ bytes: 100, waitMs: 20 }), inside)
  const stopping = new AbortController()
  const first = hold('first', 90)
  await assert.rejects(hold('late', 20).held, BudgetExceeded)
  const [stopped, small] = [hold('stopped', 20, stopping.signal), hold('small', 10)]
  stopping.abort()
  await assert.rejects(stopped.held, BudgetExceeded)
  await assert.rejects(hold('after the stop', 1, stopping.signal).held, BudgetExceeded)
  await small.end()
  await first.end()
  assert.deepEqual(inside, ['first', 'small'])
})

test('failed work frees its room', async () => {
  const bodyBudget = new BodyBudget({ bytes: 100, waitMs: 60_000 })
  const failing = async () => {
    throw new Error('no')
  }
  await assert.rejects(bodyBudget.holding(100, goesOn, failing), /no/)
  assert.equal(await bodyBudget.holding(100, goesOn, async () => 'in'), 'in')
})

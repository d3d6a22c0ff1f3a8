import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it, type TestContext } from 'node:test'
import { parseName } from '@zonewright/dns'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import { runPrimary } from '../testing/run-secondary.ts'
import { testKey } from '../testing/scripted-primary.ts'
import { LinkDown, type LinkTimes, PrimaryLink, usualLinkTimes } from './primary-link.ts'
import { askSerial, transfer } from './transfer.ts'

async function linked(test: TestContext, times: Partial<LinkTimes> = {}) {
  const primary = await runPrimary(test)
  for (const zone of ['a.', 'b.', 'quiet.']) primary.publish(zone, 3, [])
  const log = keptLog()
  const link = new PrimaryLink([primary.endpoint], testKey, log, { ...usualLinkTimes, firstRetryMs: 10, ...times })
  test.after(() => link.close())
  const ups: boolean[] = []
  let downs = 0
  link.open({ up: (wasAway) => ups.push(wasAway), down: () => downs++ })
  await eventually('the link is up', () => ups.length === 1)
  return { primary, link, log, ups, downs: () => downs }
}

async function linkedToTwo(test: TestContext, times: Partial<LinkTimes> = {}) {
  const [first, second] = [await runPrimary(test), await runPrimary(test)]
  for (const primary of [first, second]) primary.publish('a.', 3, [])
  const log = keptLog()
  const link = new PrimaryLink([first.endpoint, second.endpoint], testKey, log, {
    ...usualLinkTimes,
    firstRetryMs: 10,
    ...times,
  })
  test.after(() => link.close())
  let ups = 0
  link.open({ up: () => ups++, down: () => {} })
  await eventually('the link is up', () => ups === 1)
  return { first, second, link, log, ups: () => ups }
}

const serialOf = (link: PrimaryLink, zone: string) => askSerial(link, parseName(zone))

describe('the link to the primary', () => {
  it('has many queries in progress, and accepts their answers in any order', async (test) => {
    const { primary, link } = await linked(test)
    const { promise, resolve } = Promise.withResolvers<void>()
    primary.holds.set(parseName('a.'), promise)
    const slow = serialOf(link, 'a.')
    const quick = await Promise.all(Array.from({ length: 50 }, () => serialOf(link, 'b.')))
    resolve()
    assert.deepEqual([await slow, ...new Set(quick), primary.connections], [3, 3, 1])
  })

  it('gives up a query that is not answered, while others continue', async (test) => {
    const { primary, link } = await linked(test, { silentMs: 1_000 })
    primary.faults.set(parseName('quiet.'), 'silent')
    let isOver = false
    const quiet = assert.rejects(serialOf(link, 'quiet.'), /no answer/).finally(() => {
      isOver = true
    })
    while (!isOver) assert.equal(await serialOf(link, 'b.'), 3)
    await quiet
    assert.equal(primary.connections, 1)
  })

  it('gives up a query in time, even if the clock is set back in the meantime', async (test) => {
    const { primary, link } = await linked(test, { silentMs: 100 })
    primary.faults.set(parseName('quiet.'), 'silent')
    const quiet = assert.rejects(serialOf(link, 'quiet.'))
    const { now } = Date
    test.mock.method(Date, 'now', () => now() - 3_600_000)
    await quiet
  })

  it('waits longer for a transfer that waits its turn at the primary, while the primary answers others', async (test) => {
    const { primary, link } = await linked(test, { silentMs: 1_000, turnMs: 3_000 })
    const { promise, resolve } = Promise.withResolvers<void>()
    primary.holds.set(parseName('a.'), promise)
    primary.faults.set(parseName('quiet.'), 'silent')
    const waiting = transfer(link, parseName('a.'), undefined)
    let isOver = false
    const beganMs = performance.now()
    const quiet = assert.rejects(transfer(link, parseName('quiet.'), undefined), /no answer/).finally(() => {
      isOver = true
    })
    while (performance.now() - beganMs < 1_500) assert.equal(await serialOf(link, 'b.'), 3)
    resolve()
    assert.equal((await waiting).kind, 'whole')
    while (!isOver) assert.equal(await serialOf(link, 'b.'), 3)
    await quiet
    assert.ok(performance.now() - beganMs >= 3_000)
    assert.equal(primary.connections, 1)
  })

  it('disconnects from a primary that is completely silent, and connects again', async (test) => {
    const { primary, link, ups, log } = await linked(test, { silentMs: 100 })
    primary.faults.set(parseName('quiet.'), 'silent')
    await assert.rejects(serialOf(link, 'quiet.'))
    await eventually('it is up again', () => ups.length === 2)
    assert.equal(await serialOf(link, 'b.'), 3)
    assert.ok(log.lines.some(({ reason }) => reason === 'the primary is silent'))
  })

  it('fails queries in progress when the connection is lost, and logs once that the primary is away', async (test) => {
    const { primary, link, ups, downs, log } = await linked(test)
    primary.holds.set(parseName('a.'), new Promise(() => {}))
    const lost = assert.rejects(serialOf(link, 'a.'), LinkDown)
    await eventually('it was asked', () => primary.asked.length === 1)
    await primary.stop()
    await lost
    await assert.rejects(serialOf(link, 'b.'), LinkDown)
    await primary.start()
    await eventually('it is up again', () => ups.length === 2)
    assert.deepEqual([ups, downs()], [[true, true], 1])
    assert.equal(log.lines.filter(({ msg }) => msg === 'primary is away').length, 1)
  })

  it('logs once that the primary is away, however often it retries', async (test) => {
    const { primary, ups, log } = await linked(test, { longestRetryMs: 10 })
    let attempts = 0
    const count = () => {
      attempts += 1
    }
    subscribe('net.client.socket', count)
    test.after(() => unsubscribe('net.client.socket', count))
    await primary.stop()
    await eventually('it has tried again and again', () => attempts > 4)
    await primary.start()
    await eventually('it is up again', () => ups.length === 2)
    assert.equal(log.lines.filter(({ msg }) => msg === 'primary is away').length, 1)
  })

  it('switches to the next primary when one is away, and stays there', async (test) => {
    const { first, second, link, ups, log } = await linkedToTwo(test)
    await first.stop()
    await eventually('it is up again', () => ups() === 2)
    assert.equal(await serialOf(link, 'a.'), 3)
    await first.start()
    assert.equal(await serialOf(link, 'a.'), 3)
    assert.deepEqual([first.asked.length, second.asked.length, ups()], [0, 2, 2])
    assert.deepEqual(
      log.lines.filter(({ msg }) => msg === 'primary is away').map(({ primary }) => primary),
      [`127.0.0.1:${first.endpoint.port}`],
    )
  })

  it('switches away from a primary that is silent after a NOTIFY, long before its usual timeout', async (test) => {
    const { first, second, link, ups, log } = await linkedToTwo(test, { notifiedMs: 50 })
    first.faults.set(parseName('a.'), 'silent')
    const lost = assert.rejects(serialOf(link, 'a.'), LinkDown)
    link.nudge()
    await lost
    await eventually('it is up again', () => ups() === 2)
    assert.equal(await serialOf(link, 'a.'), 3)
    assert.deepEqual([first.asked, second.asked], [['SOA a.'], ['SOA a.']])
    assert.ok(log.lines.some(({ reason }) => reason === 'the primary is silent, although a NOTIFY came'))
  })

  it('stays with a slow primary despite NOTIFY messages while no other one is available', async (test) => {
    const { first, second, link, ups } = await linkedToTwo(test, { notifiedMs: 50 })
    await second.stop()
    const { promise, resolve } = Promise.withResolvers<void>()
    first.holds.set(parseName('a.'), promise)
    let attempts = 0
    const count = () => {
      attempts += 1
    }
    subscribe('net.client.socket', count)
    test.after(() => unsubscribe('net.client.socket', count))
    const slow = serialOf(link, 'a.')
    await eventually('it has looked for the other one again and again', () => {
      link.nudge()
      return attempts > 3
    })
    resolve()
    assert.deepEqual([await slow, ups(), first.connections], [3, 1, 1])
  })

  it('does not count a primary as away if it closes an idle connection', async (test) => {
    const { primary, link, ups } = await linked(test, { idleMs: 0 })
    assert.equal(await serialOf(link, 'b.'), 3)
    primary.hangUp()
    await eventually('it is up again', () => ups.length === 2)
    assert.deepEqual(ups, [true, false])
  })
})

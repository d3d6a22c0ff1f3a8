import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { ChangedZones } from './changed-zones.ts'

/** A read that waits until the test lets it continue. */
function held(): { hold: () => Promise<void>; goOn: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { hold: () => promise, goOn: resolve }
}

/** Zones whose names begin with `busy` wait this long for the beat. Returns the zones of each read, as `id` or `id new`. */
function gatherer(pacedMs: number, hold?: () => Promise<void>) {
  const readings: string[][] = []
  const zones = new ChangedZones({
    pacedMs: (id) => (id.startsWith('busy') ? pacedMs : 0),
    read: async (changed) => {
      readings.push([...changed].map(([id, isNew]) => (isNew ? `${id} new` : id)))
      await hold?.()
    },
  })
  return { readings, zones }
}

test('a zone that would be announced immediately is read immediately, and those that wait are included', () => {
  const { readings, zones } = gatherer(900)
  zones.add(['busy1'], false)
  zones.add(['busy2'], false)
  assert.deepEqual(readings, [])
  zones.add(['calm'], false)
  assert.deepEqual(readings, [['busy1', 'busy2', 'calm']])
})

test('zones that wait for the beat are read together, each once', async () => {
  const { readings, zones } = gatherer(900)
  for (let i = 0; i < 60; i++) zones.add([`busy${i % 20}`], false)
  await eventually('they are read', () => readings.length > 0)
  assert.equal(readings[0]?.length, 20)
  assert.equal(zones.has('busy1'), false)
})

test('zones that change shortly before the beat are read immediately', () => {
  const { readings, zones } = gatherer(15)
  zones.add(['busy'], false)
  assert.deepEqual(readings, [['busy']])
})

test('changes during a read are read after it, and a new zone stays new even if it changes again', async () => {
  const { hold, goOn } = held()
  const { readings, zones } = gatherer(900, hold)
  zones.add(['first'], false)
  zones.add(['second'], true)
  zones.add(['second', 'busy'], false)
  assert.equal(zones.has('second'), true)
  assert.deepEqual(readings, [['first']])
  goOn()
  await eventually('the others are read', () => readings.length > 1)
  assert.deepEqual(readings[1], ['second new', 'busy'])
})

test('nothing is read after a stop', async () => {
  const { hold, goOn } = held()
  const { readings, zones } = gatherer(30, hold)
  zones.add(['first'], false)
  zones.add(['second'], false)
  zones.stop()
  goOn()
  const later = gatherer(30)
  later.zones.add(['busy'], false)
  await eventually('another one, begun later, has read', () => later.readings.length > 0)
  zones.add(['third'], false)
  assert.deepEqual(readings, [['first']])
})

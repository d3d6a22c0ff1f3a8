import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextSerial, serialNewer, toSerial } from './serial.ts'

test('serials are ordered around the circle', () => {
  assert.equal(serialNewer(toSerial(1), toSerial(0)), true)
  assert.equal(serialNewer(toSerial(0), toSerial(0xffffffff)), true)
  assert.equal(serialNewer(toSerial(0xffffffff), toSerial(0)), false)
  assert.equal(serialNewer(toSerial(5), toSerial(5)), false)
  assert.equal(serialNewer(toSerial(0x80000000), toSerial(0)), false)
  assert.equal(serialNewer(toSerial(0), toSerial(0x80000000)), false)
})

test('the next serial is the time, unless the serial is already there', () => {
  assert.equal(nextSerial(undefined, 1_800_000_000.9), 1_800_000_000)
  assert.equal(nextSerial(toSerial(1_700_000_000), 1_800_000_000), 1_800_000_000)
  assert.equal(nextSerial(toSerial(1_800_000_000), 1_800_000_000), 1_800_000_001)
  assert.equal(nextSerial(toSerial(0xffffffff), 0xfffffff0), 0)
})

test('the next serial is always newer', () => {
  const serial = fc.nat(0xffffffff).map(toSerial)
  fc.assert(
    fc.property(serial, fc.nat(0xffffffff), (previous, now) => serialNewer(nextSerial(previous, now), previous)),
  )
})

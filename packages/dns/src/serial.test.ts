import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialNewer, toSerial } from './serial.ts'

test('the order of serials wraps around', () => {
  assert.equal(serialNewer(toSerial(1), toSerial(0)), true)
  assert.equal(serialNewer(toSerial(0), toSerial(0xffffffff)), true)
  assert.equal(serialNewer(toSerial(0xffffffff), toSerial(0)), false)
  assert.equal(serialNewer(toSerial(5), toSerial(5)), false)
  assert.equal(serialNewer(toSerial(0x80000000), toSerial(0)), false)
  assert.equal(serialNewer(toSerial(0), toSerial(0x80000000)), false)
})

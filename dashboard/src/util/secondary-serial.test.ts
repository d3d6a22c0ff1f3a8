import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialOf } from './secondary-serial.ts'

const served = (more: object = {}) => ({
  address: '203.0.113.53:53',
  ns_name: null,
  serial: 7,
  in_sync: true,
  latency_ms: 1,
  error: null,
  ...more,
})
const at = { address: '203.0.113.53', port: 53 }

test('the serial of a secondary is shown, and whether it is the current one', () => {
  assert.equal(serialOf(at, undefined), '…')
  assert.equal(serialOf(at, [served()]), '7, in sync')
  assert.equal(serialOf(at, [served({ in_sync: false })]), '7, behind')
  assert.equal(serialOf(at, [served({ serial: null, in_sync: false, error: 'refused' })]), 'does not serve the zone')
  assert.equal(serialOf(at, [served({ serial: null, in_sync: false, error: 'timeout' })]), 'no response')
})

test('a secondary is looked up by its address and port', () => {
  assert.equal(serialOf({ ...at, port: 5353 }, [served()]), '–')
  assert.equal(
    serialOf({ address: '2001:db8::53', port: 53 }, [served({ address: '[2001:db8::53]:53' })]),
    '7, in sync',
  )
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRdata, RrType, rdataToText } from '@zonewright/dns'
import fc from 'fast-check'
import { addressView, writeAddress } from './address.ts'

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(addressView(text).buffer).slice(0, addressView(text).byteLength)
}

describe('the bytes of an address', () => {
  it('equal the data of its A or AAAA record, in every notation', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const type = text.includes(':') ? RrType.AAAA : RrType.A
        assert.deepEqual([...bytesOf(text)], [...parseRdata(type, text)], text)
        assert.deepEqual(bytesOf(rdataToText(type, parseRdata(type, text))), bytesOf(text), text)
      }),
      { numRuns: 500 },
    )
  })

  it('leave out the zone index', () => {
    assert.deepEqual(bytesOf('fe80::1%eth0'), bytesOf('fe80::1'))
  })

  it('are written at the given offset, overwrite what was there, and change nothing else', () => {
    const target = new DataView(new Uint8Array(24).fill(0xff).buffer)
    assert.equal(writeAddress('2001:db8::ffff:192.0.2.1', target, 4), 16)
    assert.equal(Buffer.from(target.buffer).toString('hex'), 'ffffffff20010db8000000000000ffffc0000201ffffffff')
    assert.equal(writeAddress('198.51.100.7', target, 4), 4)
    assert.equal(target.getUint32(4), 0xc6336407)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keepaliveOption, nsidOption } from './fixed-option.ts'

describe('a fixed EDNS option', () => {
  it('is written with its code and length, and nothing after its data', () => {
    const target = new DataView(new Uint8Array(16).fill(0xff).buffer)
    const nsid = nsidOption('ns1')
    assert.equal(nsid.length, 7)
    assert.equal(nsid.write(target, 2), 9)
    assert.equal(keepaliveOption(10_000).write(target, 9), 15)
    assert.equal(Buffer.from(target.buffer).toString('hex'), 'ffff00030003' + '6e7331' + '000b00020064' + 'ff')
  })

  it('encodes the name in UTF-8, and limits the idle time to the largest value that fits', () => {
    assert.equal(nsidOption('Zürich').length, 4 + 7)
    const target = new DataView(new ArrayBuffer(6))
    keepaliveOption(1e9).write(target, 0)
    assert.equal(target.getUint16(4), 0xffff)
  })
})

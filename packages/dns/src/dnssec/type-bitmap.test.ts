import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DnsFault } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import { parseType, type RrType, RrType as Types, toType } from '../type.ts'
import { WireReader } from '../wire-reader.ts'
import { readTypeBitmap, typeBitmap } from './type-bitmap.ts'

const typesOf = (hex: string): RrType[] => readTypeBitmap(new WireReader(fromHex(hex) ?? assert.fail(hex)))

test('writes and reads the bitmap that RFC 4034 §4.3 prints for its types', () => {
  const types = [Types.A, Types.MX, Types.RRSIG, Types.NSEC, parseType('TYPE1234')]
  const printed = `0006400100000003${'041b'}${'00'.repeat(26)}20`
  assert.equal(toHex(typeBitmap(types)), printed)
  assert.equal(toHex(typeBitmap([...types, ...types].reverse())), printed)
  assert.deepEqual(typesOf(printed), types)
})

test('an empty set of types has a bitmap without windows', () => {
  assert.equal(typeBitmap([]).length, 0)
  assert.deepEqual(typesOf(''), [])
})

test('every set of types can be read back from its bitmap, which is as short as possible', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 65535 }).map(toType), { maxLength: 40 }), (types) => {
      const bitmap = typeBitmap(types)
      assert.deepEqual(
        readTypeBitmap(new WireReader(bitmap)),
        types.toSorted((a, b) => a - b),
      )
      const windows = new Set(types.map((type) => type >> 8))
      const bytes = [...windows].map((window) => {
        const highest = Math.max(...types.filter((type) => type >> 8 === window))
        return 2 + ((highest & 0xff) >> 3) + 1
      })
      assert.equal(
        bitmap.length,
        bytes.reduce((sum, size) => sum + size, 0),
      )
    }),
  )
})

test('rejects a bitmap with an unnecessary byte, an empty window, or windows out of order', () => {
  for (const hex of [
    '00024000',
    '0000',
    '000100',
    '010140000140',
    '00014000',
    '0001400001',
    '0021',
    `0021${'01'.repeat(33)}`,
  ])
    assert.throws(() => typesOf(hex), DnsFault, hex)
})

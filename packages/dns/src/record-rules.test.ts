import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from './hex.ts'
import { parseName } from './name.ts'
import { parseRdata } from './rdata.ts'
import { anyDataOf, orRefused } from './rdata-samples.test.ts'
import { recordValue } from './record-rules.ts'
import type { RrType } from './type.ts'

const origin = parseName('example.com.')

test('any bytes of any type in the generic form are refused or kept in a text that can be read', () => {
  let keptCount = 0
  fc.assert(
    fc.property(typedData, fc.uint8Array({ maxLength: 3 }), fc.nat(3), ([type, data], more, cut) => {
      const bytes = Uint8Array.from([...data.subarray(0, data.length - cut), ...more])
      const kept = orRefused(() => recordValue(type, `\\# ${bytes.length} ${toHex(bytes)}`, origin))
      if (kept === undefined) return
      assert.doesNotThrow(() => parseRdata(type, kept))
      assert.equal(recordValue(type, kept, origin), kept)
      keptCount++
    }),
    { numRuns: 20_000 },
  )
  assert.ok(keptCount > 5_000, `${keptCount} were kept`)
})

/** A type and good data of it. */
const typedData: fc.Arbitrary<[RrType, Uint8Array]> = fc.oneof(
  ...Array.from(anyDataOf, ([type, anyData]) => anyData.map((data): [RrType, Uint8Array] => [type, data])),
)

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildMessage } from './build-message.ts'
import { type Edns, type EdnsOption, OptionCode, optionOf } from './edns.ts'
import { type ExtendedError, extendedErrorOption, extendedErrorsOf, InfoCode } from './extended-error.ts'
import { parseMessage } from './parse-message.ts'

/** The OPT record as the other side reads it. */
function overTheWire(...options: EdnsOption[]): Edns {
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options }
  return parseMessage(buildMessage({ id: 1, edns })).edns ?? assert.fail('there is no OPT')
}

const bytes = (...values: number[]) => Uint8Array.from(values)

test('options stay unchanged and in order, even if their codes are unknown', () => {
  const options = [
    { code: OptionCode.TCP_KEEPALIVE, data: bytes() },
    { code: 65001, data: bytes(1, 2, 3) },
    { code: OptionCode.PADDING, data: new Uint8Array(400) },
    { code: OptionCode.CLIENT_SUBNET, data: bytes(0, 1, 24, 0, 192, 0, 2) },
    { code: 65001, data: bytes() },
  ]
  assert.deepEqual(overTheWire(...options).options, options)
})

test('an option is looked up by its code, and the first of several is returned', () => {
  const edns = overTheWire({ code: 9, data: bytes(1) }, { code: 9, data: bytes(2) })
  assert.deepEqual(optionOf(edns, 9), bytes(1))
  assert.equal(optionOf(edns, 10), undefined)
  assert.equal(optionOf(undefined, 9), undefined)
})

test('extended errors arrive unchanged', () => {
  const anyError: fc.Arbitrary<ExtendedError> = fc.record(
    {
      infoCode: fc.nat(0xffff),
      text: fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !text.endsWith('\0')),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.array(anyError, { maxLength: 3 }), (errors) => {
      assert.deepEqual(extendedErrorsOf(overTheWire(...errors.map(extendedErrorOption))), errors)
    }),
  )
  assert.deepEqual(extendedErrorsOf(undefined), [])
})

test('reads the text of an extended error even if it ends in NUL or is not valid UTF-8', () => {
  const read = (...data: number[]) =>
    extendedErrorsOf(overTheWire({ code: OptionCode.EXTENDED_ERROR, data: bytes(...data) }))
  assert.deepEqual(read(0, InfoCode.NOT_AUTHORITATIVE), [{ infoCode: 20, text: '' }])
  assert.deepEqual(read(0, 0, 0x68, 0x69, 0), [{ infoCode: InfoCode.OTHER, text: 'hi' }])
  assert.deepEqual(read(0, 24, 0x68, 0xff), [{ infoCode: InfoCode.INVALID_DATA, text: 'h\\255' }])
  assert.throws(() => read(0), { code: 'bad_message' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodedText } from './decoded-text.ts'

const bytes = (...values: number[]): ArrayBuffer => Uint8Array.from(values).buffer

test('a file is read as UTF-8 without its byte order mark; a file in another encoding is refused', () => {
  assert.equal(decodedText(bytes(0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9), 'utf-8'), 'aé')
  assert.equal(decodedText(bytes(0x61, 0xe9), 'utf-8'), undefined)
  assert.equal(decodedText(bytes(0xff, 0xfe, 0x61, 0x00), 'utf-8'), undefined)
  assert.equal(decodedText(bytes(), 'utf-8'), '')
})

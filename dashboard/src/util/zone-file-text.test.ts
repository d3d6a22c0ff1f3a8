import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneFileText } from './zone-file-text.ts'

const bytesOf = (text: string, encoding: BufferEncoding): ArrayBuffer =>
  Uint8Array.from(Buffer.from(text, encoding)).buffer

test('a zone file is read as UTF-8, or as UTF-16 with its byte order mark', () => {
  const text = 'bücher 300 A 192.0.2.1\r\n'
  assert.deepEqual(zoneFileText(bytesOf(text, 'utf8')), { text })
  assert.deepEqual(zoneFileText(bytesOf(`\ufeff${text}`, 'utf8')), { text })
  assert.deepEqual(zoneFileText(bytesOf(`\ufeff${text}`, 'utf16le')), { text })
  const bigEndian = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  assert.deepEqual(zoneFileText(Uint8Array.from(bigEndian).buffer), { text })
  assert.deepEqual(zoneFileText(bytesOf('', 'utf8')), { text: '' })
})

test('an unreadable file is refused with advice on what to do', () => {
  for (const [hex, fault] of [
    ['62fc63686572', /^It is not UTF-8\. Save it as UTF-8/],
    ['fffe00d800', /^It is not UTF-8/],
    ['1f8b0800', /^This is a compressed file, not a zone file\. Unpack it/],
    ['504b0304', /^This is a ZIP archive or an Excel sheet/],
    ['0000000200000000', /^This is a zone in BIND’s raw format.*named-compilezone/],
  ] as const) {
    const read = zoneFileText(bytesOf(hex, 'hex'))
    assert.match('fault' in read ? read.fault : '', fault)
  }
})

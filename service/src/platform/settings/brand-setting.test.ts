import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { onDark, parseServiceColor, parseServiceLinks, parseServiceName, readLogo } from './brand-setting.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-brand-'))
after(() => rmSync(folder, { recursive: true }))

test('a color must be readable on white, and has a lighter form for dark backgrounds', () => {
  assert.equal(parseServiceColor(''), undefined)
  assert.equal(parseServiceColor('#1D4ED8'), '#1d4ed8')
  for (const wrong of ['blue', '#fff', '#12345', '#1d4ed8;}'])
    assert.throws(() => parseServiceColor(wrong), /is not a color/)
  assert.throws(() => parseServiceColor('#ffdd00'), /too light/)
  assert.match(onDark('#1d4ed8'), /^#[0-9a-f]{6}$/)
  assert.notEqual(onDark('#000000'), '#000000')
})

test('a name is short and has no markup', () => {
  assert.equal(parseServiceName(' Ngozi DNS '), 'Ngozi DNS')
  for (const wrong of ['', '<b>', 'x'.repeat(41), 'a\nb', 'a\u202eb'])
    assert.throws(() => parseServiceName(wrong), /is not a name/)
})

test('links have a label and a URL that a browser may open', () => {
  assert.deepEqual(
    parseServiceLinks('Status=https://status.example.net, Help me = mailto:help@example.net'.replace(' = ', '=')),
    [
      { label: 'Status', url: 'https://status.example.net/' },
      { label: 'Help me', url: 'mailto:help@example.net' },
    ],
  )
  assert.deepEqual(parseServiceLinks(''), [])
  for (const wrong of ['Status', 'Status=nowhere', 'Status=javascript:alert(1)', '=https://a.example'])
    assert.throws(() => parseServiceLinks(wrong), /is not label=URL/)
  assert.throws(
    () => parseServiceLinks(Array.from({ length: 7 }, (_, i) => `a${i}=https://a.example`).join()),
    /at most 6/,
  )
})

test('a logo is a small picture', () => {
  const file = (name: string, bytes: number): string => {
    writeFileSync(join(folder, name), 'x'.repeat(bytes))
    return join(folder, name)
  }
  assert.equal(readLogo(''), undefined)
  assert.equal(readLogo(file('logo.svg', 10))?.type, 'image/svg+xml')
  assert.throws(() => readLogo(file('logo.gif', 10)), /extension/)
  assert.throws(() => readLogo(file('logo.png', 200_000)), /larger than 100 KiB/)
  assert.throws(() => readLogo(join(folder, 'none.png')), /cannot be read: ENOENT/)
})

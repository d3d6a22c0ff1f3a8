import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { SecretBox } from './secrets.ts'
import { withoutPauses } from './work/slices.ts'

const box = new SecretBox(randomBytes(32))

test('a sealed value opens again, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, of) => {
      assert.equal(box.open('mails.content', of, box.seal('mails.content', of, secret)), Buffer.from(secret).toString())
    }),
  )
})

test('a sealed value reveals nothing of its secret, and differs each time', () => {
  const [a, b] = [
    box.seal('mails.content', 'm', 'whsec_very secret'),
    box.seal('mails.content', 'm', 'whsec_very secret'),
  ]
  assert.ok(!a.includes('secret'))
  assert.notDeepEqual(a, b)
})

test('a value opens only in its own column and row, and only with its own key', () => {
  const sealed = box.seal('webhook_endpoints.secrets', 'whe_1', 'secret')
  assert.throws(() => box.open('webhook_endpoints.secrets', 'whe_2', sealed))
  assert.throws(() => box.open('mails.content', 'whe_1', sealed))
  assert.throws(() => new SecretBox(randomBytes(32)).open('webhook_endpoints.secrets', 'whe_1', sealed))
})

test('with a fallback, a box opens what either key has sealed, and seals with its own key', () => {
  const [old, replacement] = [randomBytes(32), randomBytes(32)]
  const [before, during, after] = [
    new SecretBox(old),
    new SecretBox(replacement, old),
    new SecretBox(replacement),
  ] as const
  const sealed = before.seal('pay_links.token', 'ord_1', 'token')
  assert.equal(during.open('pay_links.token', 'ord_1', sealed), 'token')
  const renewed = during.renewed('pay_links.token', 'ord_1', sealed)
  assert.equal(after.open('pay_links.token', 'ord_1', renewed), 'token')
  assert.equal(during.renewed('pay_links.token', 'ord_1', renewed), renewed)
  assert.equal(after.open('pay_links.token', 'ord_1', during.seal('pay_links.token', 'ord_1', 'token')), 'token')
  assert.throws(() => before.open('pay_links.token', 'ord_1', renewed))
  assert.throws(() => after.renewed('pay_links.token', 'ord_1', sealed))
  const link = before.sealLink('another email address', 'ada@example.net')
  assert.equal(during.openLink('another email address', link), 'ada@example.net')
})

test('a value with any byte changed, or cut short, does not open', () => {
  const sealed = box.seal('mails.content', 'm', 'secret')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => box.open('mails.content', 'm', changed), `byte ${at}`)
    assert.throws(() => box.open('mails.content', 'm', sealed.subarray(0, at)), `cut at ${at}`)
  }
})

test('a text has one MAC for each purpose and key, the same in every process', () => {
  const key = randomBytes(32)
  const macsOf = (by: SecretBox, purpose: string, text: string) => withoutPauses(by.macsOf(purpose, [...text]))
  const [mac] = macsOf(new SecretBox(key), 'p', 'text')
  assert.equal(mac?.length, 32)
  assert.deepEqual(macsOf(new SecretBox(Buffer.from(key)), 'p', 'text'), [mac])
  for (const other of [
    macsOf(new SecretBox(key), 'q', 'text'),
    macsOf(new SecretBox(key), 'p', 'Text'),
    macsOf(box, 'p', 'text'),
  ])
    assert.notDeepEqual(other, [mac])
  assert.deepEqual(macsOf(new SecretBox(randomBytes(32), key), 'p', 'text')[1], mac)
})

test('a key has 32 bytes', () => {
  for (const length of [0, 16, 31, 33]) assert.throws(() => new SecretBox(randomBytes(length)), RangeError)
})

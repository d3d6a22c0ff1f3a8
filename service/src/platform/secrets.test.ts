import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { SecretBox } from './secrets.ts'

const box = new SecretBox(randomBytes(32))

test('what was sealed opens again, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, purpose) => {
      assert.equal(box.open(purpose, box.seal(purpose, secret)), Buffer.from(secret).toString())
    }),
  )
})

test('a sealed value shows nothing of its secret and is another one each time', () => {
  const [a, b] = [box.seal('p', 'whsec_very secret'), box.seal('p', 'whsec_very secret')]
  assert.ok(!a.includes('secret'))
  assert.notDeepEqual(a, b)
})

test('a value opens for its own purpose and with its own key alone', () => {
  const sealed = box.seal('webhook whe_1', 'secret')
  assert.throws(() => box.open('webhook whe_2', sealed))
  assert.throws(() => new SecretBox(randomBytes(32)).open('webhook whe_1', sealed))
})

test('a value that was changed in any byte, or cut short, does not open', () => {
  const sealed = box.seal('p', 'secret')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => box.open('p', changed), `byte ${at}`)
    assert.throws(() => box.open('p', sealed.subarray(0, at)), `cut at ${at}`)
  }
})

test('a text has one mac for each purpose and key, the same in every process', () => {
  const key = randomBytes(32)
  const mac = new SecretBox(key).mac('p', 'text')
  assert.equal(mac.length, 32)
  assert.deepEqual(new SecretBox(Buffer.from(key)).mac('p', 'text'), mac)
  for (const other of [new SecretBox(key).mac('q', 'text'), new SecretBox(key).mac('p', 'Text'), box.mac('p', 'text')])
    assert.notDeepEqual(other, mac)
})

test('a key has 32 bytes', () => {
  for (const length of [0, 16, 31, 33]) assert.throws(() => new SecretBox(randomBytes(length)), RangeError)
})

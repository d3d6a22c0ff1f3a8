import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { hintOf, isWellFormed, newSecret, secretSha256 } from './key-secret.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Calculates the checksum in another way: base62 of the CRC, padded with zeros. */
function checkOf(text: string): string {
  let rest = BigInt(crc32(text))
  let digits = ''
  for (; rest > 0n; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits.padStart(6, '0')
}

test('a secret is the prefix, 32 random characters and 6 characters of checksum', () => {
  const secret = newSecret()
  assert.match(secret, /^svc_live_[0-9A-Za-z]{38}$/)
  assert.equal(secret.slice(-6), checkOf(secret.slice(0, -6)))
  assert.equal(isWellFormed(secret), true)
})

test('two secrets are never equal, and every character of the alphabet appears', () => {
  const secrets = Array.from({ length: 500 }, newSecret)
  assert.equal(new Set(secrets.map((secret) => secret.slice(0, 41))).size, 500)
  const seen = new Set(secrets.flatMap((secret) => [...secret.slice(9, 41)]))
  assert.deepEqual([...seen].sort().join(''), [...alphabet].sort().join(''))
})

test('only the SHA-256 and the last four characters of a secret are stored', () => {
  const secret = newSecret()
  assert.deepEqual(secretSha256(secret), createHash('sha256').update(secret).digest())
  assert.equal(hintOf(secret), secret.slice(-4))
})

test('detects every single mistyped character', () => {
  fc.assert(
    fc.property(fc.nat({ max: 46 }), fc.constantFrom(...alphabet, '_', '-', ' ', 'é'), (at, typed) => {
      const secret = newSecret()
      fc.pre(secret[at] !== typed)
      assert.equal(isWellFormed(secret.slice(0, at) + typed + secret.slice(at + 1)), false)
    }),
    { numRuns: 2_000 },
  )
})

test('detects two swapped neighbors and a missing or additional character', () => {
  fc.assert(
    fc.property(fc.nat({ max: 45 }), (at) => {
      const secret = newSecret()
      const [a = '', b = ''] = secret.slice(at, at + 2)
      if (a !== b) assert.equal(isWellFormed(secret.slice(0, at) + b + a + secret.slice(at + 2)), false)
      assert.equal(isWellFormed(secret.slice(0, at) + secret.slice(at + 1)), false)
      assert.equal(isWellFormed(secret.slice(0, at) + a + secret.slice(at)), false)
    }),
    { numRuns: 500 },
  )
})

test('texts of another form are not secrets', () => {
  const secret = newSecret()
  for (const text of [
    '',
    'svc_live_',
    secret.toUpperCase(),
    `${secret}\n`,
    ` ${secret}`,
    secret.replace('live', 'test'),
  ])
    assert.equal(isWellFormed(text), false, JSON.stringify(text))
})

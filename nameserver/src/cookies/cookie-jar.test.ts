import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addressView } from '../address.ts'
import { heapGrowth } from '../testing/heap-growth.ts'
import { CookieJar, CookieVerdict, cookieOptionBytes } from './cookie-jar.ts'
import { SharedSecrets } from './shared-secrets.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const secret = hex('e5e973e5a6b2a43f48e7dc849e37bfcf')
const made = '2464c4abcf10c957010000005cf79f111f8130c3eee29480'
const [client, madeAtS] = ['198.51.100.100', 0x5cf79f11]

interface Jar {
  readonly jar: CookieJar
  readonly secrets: SharedSecrets
}

function jarWith(making: Uint8Array, accepted?: Uint8Array): Jar {
  const shared = CookieJar.allocate()
  const secrets = new SharedSecrets(shared)
  secrets.set(making, accepted)
  return { jar: new CookieJar(shared), secrets }
}

/** Sends a query whose cookie is in the middle of a packet. @returns the verdict and the cookie of the response. */
function ask({ jar }: Jar, cookie: string, from: string, nowS: number): [number, string] {
  const at = 33
  const packet = new DataView(new ArrayBuffer(at + 60))
  new Uint8Array(packet.buffer).set(hex(cookie), at)
  const address = addressView(from)
  const verdict = jar.inspect(packet, at, cookie.length / 2, address, 0, address.byteLength, nowS)
  if (verdict === CookieVerdict.malformed) return [verdict, '']
  // Overwrites the bytes of the query, as a response that is built in place does.
  assert.equal(jar.write(packet, at - 4), at - 4 + cookieOptionBytes)
  const option = Buffer.from(packet.buffer, at - 4, cookieOptionBytes).toString('hex')
  assert.equal(option.slice(0, 8), '000a0018')
  return [verdict, option.slice(8)]
}

describe('a cookie jar', () => {
  it('creates the cookies of RFC 9018, appendix A', () => {
    const jar = jarWith(secret)
    assert.deepEqual(ask(jar, '2464c4abcf10c957', client, 0x5cf79f11), [CookieVerdict.clientOnly, made])
    const renewed = '2464c4abcf10c957010000005cf7a871d4a564a1442aca77'
    assert.deepEqual(ask(jar, made, client, 0x5cf7a871), [CookieVerdict.valid, renewed])

    const [reserved, other] = ['fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5', '203.0.113.203']
    assert.deepEqual(ask(jar, reserved, other, 0x5cf78f71), [CookieVerdict.valid, reserved])
    assert.equal(ask(jar, reserved, other, 0x5cf7a9ac)[1], 'fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e')

    const rolled = jarWith(hex('445536bcd2513298075a5d379663c962'), hex('dd3bdf9344b678b185a6f5cb60fca715'))
    const v6 = '2001:db8:220:1:59de:d0f4:8769:82b8'
    assert.deepEqual(ask(rolled, '22681ab97d52c298010000005cf7c57926556bd0934c72f8', v6, 0x5cf7c609), [
      CookieVerdict.valid,
      '22681ab97d52c298010000005cf7c609a6bb79d16625507a',
    ])
  })

  it('checks each client by its own address, not by that of the previous client', () => {
    const jar = jarWith(secret)
    const v6 = '2001:db8:220:1:59de:d0f4:8769:82b8'
    ask(jar, '22681ab97d52c298', v6, madeAtS)
    assert.deepEqual(ask(jar, made, client, madeAtS), [CookieVerdict.valid, made])
    ask(jar, '22681ab97d52c298', v6, madeAtS)
    assert.deepEqual(ask(jar, '2464c4abcf10c957', client, madeAtS), [CookieVerdict.clientOnly, made])
  })

  it('accepts a cookie up to an hour old or five minutes ahead, and renews it after half an hour', () => {
    const jar = jarWith(secret)
    const { valid, invalid } = CookieVerdict
    for (const [ageS, verdict, isSame] of [
      [-301, invalid, false],
      [-300, valid, true],
      [0, valid, true],
      [1799, valid, true],
      [1800, valid, false],
      [3600, valid, false],
      [3601, invalid, false],
    ] as const) {
      const [found, answer] = ask(jar, made, client, madeAtS + ageS)
      assert.deepEqual([found, answer === made], [verdict, isSame], `${ageS} s old`)
    }
  })

  it('handles timestamps that wrap around at 32 bits', () => {
    const jar = jarWith(secret)
    const endS = 2 ** 32
    const [, cookie] = ask(jar, '2464c4abcf10c957', client, endS - 10)
    assert.deepEqual(ask(jar, cookie, client, endS + 10), [CookieVerdict.valid, cookie])
    assert.equal(ask(jar, cookie, client, endS + 3591)[0], CookieVerdict.invalid)
  })

  it('rejects a cookie if any bit, the client or the secret differs', () => {
    const jar = jarWith(secret)
    const flipped = (bit: number) => {
      const bytes = hex(made)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
      return Buffer.from(bytes).toString('hex')
    }
    for (let bit = 0; bit < 8 * 24; bit++) {
      assert.equal(ask(jar, flipped(bit), client, madeAtS)[0], CookieVerdict.invalid, `bit ${bit}`)
    }
    assert.equal(ask(jar, made, '198.51.100.101', madeAtS)[0], CookieVerdict.invalid)
    assert.equal(ask(jar, made, '2001:db8::1', madeAtS)[0], CookieVerdict.invalid)
    assert.equal(ask(jarWith(hex('00'.repeat(16))), made, client, madeAtS)[0], CookieVerdict.invalid)
  })

  it('reports an option as malformed unless it has 8 or 16 to 40 bytes', () => {
    const jar = jarWith(secret)
    for (let length = 0; length <= 50; length++) {
      const [verdict] = ask(jar, 'ab'.repeat(length), client, madeAtS)
      const expected =
        length === 8
          ? CookieVerdict.clientOnly
          : length >= 16 && length <= 40
            ? CookieVerdict.invalid
            : CookieVerdict.malformed
      assert.equal(verdict, expected, `${length} bytes`)
    }
  })

  it('accepts every cookie that it issued, but only from the same client', () => {
    const jar = jarWith(secret)
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    const clientCookie = fc
      .uint8Array({ minLength: 8, maxLength: 8 })
      .map((bytes) => Buffer.from(bytes).toString('hex'))
    fc.assert(
      fc.property(
        clientCookie,
        address,
        address,
        fc.nat(2 ** 31 - 1),
        fc.nat(1799),
        (mine, from, other, atS, laterS) => {
          const [, given] = ask(jar, mine, from, atS)
          assert.deepEqual(ask(jar, given, from, atS + laterS), [CookieVerdict.valid, given])
          if (Buffer.compare(bytesOf(from), bytesOf(other)) !== 0) {
            assert.equal(ask(jar, given, other, atS)[0], CookieVerdict.invalid)
          }
        },
      ),
    )
  })

  it('applies a change of secrets immediately, and accepts the old secret while it is shared', () => {
    const jar = jarWith(secret)
    const next = hex('445536bcd2513298075a5d379663c962')
    assert.equal(ask(jar, made, client, madeAtS)[1], made)
    jar.secrets.set(next, secret)
    const [verdict, renewed] = ask(jar, made, client, madeAtS)
    assert.equal(verdict, CookieVerdict.valid)
    assert.notEqual(renewed, made)
    jar.secrets.set(next)
    assert.equal(ask(jar, made, client, madeAtS)[0], CookieVerdict.invalid)
    assert.equal(ask(jar, renewed, client, madeAtS)[0], CookieVerdict.valid)
  })

  it('allocates nothing for a query', () => {
    const { jar } = jarWith(secret)
    const packet = new DataView(hex(made).buffer)
    const target = new DataView(new ArrayBuffer(64))
    const address = addressView(client)
    const run = () => {
      for (let count = 0; count < 100_000; count++) {
        jar.inspect(packet, 0, 24, address, 0, 4, madeAtS + (count & 0xfff))
        jar.write(target, 4)
      }
    }
    assert.ok(heapGrowth(run) < 500_000)
  })
})

function bytesOf(text: string): Uint8Array {
  const view = addressView(text)
  return new Uint8Array(view.buffer, 0, view.byteLength)
}

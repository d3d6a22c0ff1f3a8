import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseIpv4, parseIpv6 } from './address.ts'
import { type Cookie, checkServerCookie, cookieOf, cookieOption, makeServerCookie } from './cookie.ts'
import { type Edns, OptionCode } from './edns.ts'
import { fromHex, toHex } from './hex.ts'
import { sipHash24 } from './siphash.test.ts'

function bytes(hex: string): Uint8Array {
  return fromHex(hex) ?? assert.fail(`${hex} is not hexadecimal`)
}

function ednsWith(...cookies: Uint8Array[]): Edns {
  const options = cookies.map((data) => ({ code: OptionCode.COOKIE, data }))
  return { udpSize: 1232, version: 0, dnssecOk: false, options }
}

function cookieFrom(hex: string): Cookie {
  return cookieOf(ednsWith(bytes(hex))) ?? assert.fail('there is no cookie')
}

const secret = bytes('e5e973e5a6b2a43f48e7dc849e37bfcf')
const client = bytes('2464c4abcf10c957')
const address = parseIpv4('198.51.100.100') ?? assert.fail()
const holder = { client, address, unixSeconds: 1559731985 }

/** The test vectors of RFC 9018 §A. */
const oldSecret = bytes('dd3bdf9344b678b185a6f5cb60fca715')
const newSecret = bytes('445536bcd2513298075a5d379663c962')
const vectors = [
  {
    what: 'a client without a server cookie',
    asked: '2464c4abcf10c957',
    from: address,
    at: 1559731985,
    secrets: [secret],
    judged: 'bad',
    answered: '2464c4abcf10c957010000005cf79f111f8130c3eee29480',
  },
  {
    what: 'a client whose server cookie is forty minutes old',
    asked: '2464c4abcf10c957010000005cf79f111f8130c3eee29480',
    from: address,
    at: 1559734385,
    secrets: [secret],
    judged: 'renew',
    answered: '2464c4abcf10c957010000005cf7a871d4a564a1442aca77',
  },
  {
    what: 'a client whose server cookie has its reserved bits set',
    asked: 'fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5',
    from: parseIpv4('203.0.113.203'),
    at: 1559734700,
    secrets: [secret],
    judged: 'bad',
    answered: 'fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e',
  },
  {
    what: 'a client whose server cookie was made with an older secret',
    asked: '22681ab97d52c298010000005cf7c57926556bd0934c72f8',
    from: parseIpv6('2001:db8:220:1:59de:d0f4:8769:82b8'),
    at: 1559741961,
    secrets: [newSecret, oldSecret],
    judged: 'renew',
    answered: '22681ab97d52c298010000005cf7c609a6bb79d16625507a',
  },
] as const

for (const { what, asked, from, at, secrets, judged, answered } of vectors) {
  test(`RFC 9018 §A: ${what} gets ${answered}`, () => {
    const cookie = cookieFrom(asked)
    const asker = { client: cookie.client, address: from ?? assert.fail(), unixSeconds: at }
    assert.equal(checkServerCookie(cookie.server, asker, secrets, sipHash24), judged)
    const server = makeServerCookie(asker, secrets[0], sipHash24)
    assert.equal(toHex(cookieOption({ client: cookie.client, server }).data), answered)
  })
}

test('a server cookie is valid for one hour, and only for its client and its address', () => {
  const server = makeServerCookie(holder, secret, sipHash24)
  const judge = (asker: object, secrets = [secret]) =>
    checkServerCookie(server, { ...holder, ...asker }, secrets, sipHash24)
  assert.equal(judge({}), 'good')
  assert.equal(judge({ client: bytes('2464c4abcf10c958') }), 'bad')
  assert.equal(judge({ address: Uint8Array.of(198, 51, 100, 101) }), 'bad')
  assert.equal(judge({}, [oldSecret]), 'bad')
  assert.equal(judge({}, [oldSecret, secret]), 'renew')
  const later = (seconds: number) => judge({ unixSeconds: holder.unixSeconds + seconds })
  assert.deepEqual([1800, 1801, 3600, 3601].map(later), ['good', 'renew', 'renew', 'bad'])
  assert.deepEqual([-300, -301].map(later), ['good', 'bad'])
})

test('a server cookie stays valid when the clock passes 2³² seconds', () => {
  const server = makeServerCookie({ ...holder, unixSeconds: 2 ** 32 - 10 }, secret, sipHash24)
  const asker = { ...holder, unixSeconds: 2 ** 32 + 10 }
  assert.equal(checkServerCookie(server, asker, [secret], sipHash24), 'good')
})

test('rejects server cookies with another version or length', () => {
  const server = makeServerCookie(holder, secret, sipHash24)
  const judge = (other: Uint8Array) => checkServerCookie(other, holder, [secret], sipHash24)
  assert.equal(judge(server.with(0, 2)), 'bad')
  assert.equal(judge(server.subarray(0, 15)), 'bad')
  assert.equal(judge(new Uint8Array(0)), 'bad')
})

test('a cookie has 8 bytes, or 16 to 40 bytes', () => {
  for (let length = 0; length <= 50; length++) {
    const read = () => cookieOf(ednsWith(new Uint8Array(length)))
    if (length === 8 || (length >= 16 && length <= 40)) assert.equal(read()?.server.length, length - 8)
    else assert.throws(read, { code: 'bad_message' }, `${length} bytes`)
  }
})

test('uses the first of two cookies; a message without a cookie has none', () => {
  assert.deepEqual(cookieOf(ednsWith(client, new Uint8Array(3)))?.client, client)
  assert.equal(cookieOf(ednsWith()), undefined)
  assert.equal(cookieOf(undefined), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnskeyFromRdata, keyTag } from '../src/dnssec/dnskey.ts'
import { dsOf } from '../src/dnssec/ds.ts'
import { rrsigFromRdata } from '../src/dnssec/rrsig.ts'
import { signingInput } from '../src/dnssec/signing-input.ts'
import { parseName, parseRdata, RrType, rdataToText } from '../src/index.ts'
import { dnssecCrypto } from './dnssec-crypto.ts'

/** A key and a signature by this key, as printed in an RFC. */
interface Printed {
  readonly rfc: string
  readonly zone: string
  readonly key: string
  readonly tag: number
  readonly ds?: string
  readonly owner: string
  readonly type: 'A' | 'MX'
  readonly data: string
  readonly rrsig: string
}

const mx = { zone: 'example.com.', owner: 'example.com.', type: 'MX', data: '10 mail.example.com.' } as const
const net = { zone: 'example.net.', owner: 'www.example.net.', type: 'A' } as const
const mxTimes = '3600 20150819220000 20150729220000'

const printed: readonly Printed[] = [
  {
    ...net,
    rfc: 'RFC 5702 §6.1',
    key: '256 3 8 AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk=',
    tag: 9033,
    data: '192.0.2.91',
    rrsig: `A 8 3 3600 20300101000000 20000101000000 9033 example.net. kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/lPtPiVYP4bwg==`,
  },
  {
    ...net,
    rfc: 'RFC 5702 §6.2',
    key: '256 3 10 AwEAAdHoNTOW+et86KuJOWRDp1pndvwb6Y83nSVXXyLA3DLroROUkN6X0O6pnWnjJQujX/AyhqFDxj13tOnD9u/1kTg7cV6rklMrZDtJCQ5PCl/D7QNPsgVsMu1J2Q8gpMpztNFLpPBz1bWXjDtaR7ZQBlZ3PFY12ZTSncorffcGmhOL',
    tag: 3740,
    data: '192.0.2.91',
    rrsig: `A 10 3 3600 20300101000000 20000101000000 3740 example.net. tsb4wnjRUDnB1BUi+t6TMTXThjVnG+eCkWqjvvjhzQL1d0YRoOe0CbxrVDYd0xDtsuJRaeUw1ep94PzEWzr0iGYgZBWm/zpq+9fOuagYJRfDqfReKBzMweOLDiNa8iP5g9vMhpuv6OPlvpXwm9Sa9ZXIbNl1MBGk0fthPgxdDLw=`,
  },
  {
    ...net,
    rfc: 'RFC 6605 §6.1',
    key: '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
    tag: 55648,
    ds: '55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
    data: '192.0.2.1',
    rrsig: `A 13 3 3600 20100909100439 20100812100439 55648 example.net. qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==`,
  },
  {
    ...net,
    rfc: 'RFC 6605 §6.2',
    key: '257 3 14 xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40',
    tag: 10771,
    ds: '10771 14 4 72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6',
    data: '192.0.2.1',
    rrsig: `A 14 3 3600 20100909102025 20100812102025 10771 example.net. /L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJNuydCuzWTSSPdz7wnqXL5bdcJzusdnI0RSMROxxwGipWcJm`,
  },
  {
    ...mx,
    rfc: 'RFC 8080 §6.1, with the signature of erratum 4935',
    key: '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
    tag: 3613,
    ds: '3613 15 2 3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b',
    rrsig: `MX 15 2 ${mxTimes} 3613 example.com. oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==`,
  },
  {
    ...mx,
    rfc: 'RFC 8080 §6.1, the second, with the signature of erratum 4935',
    key: '257 3 15 zPnZ/QwEe7S8C5SPz2OfS5RR40ATk2/rYnE9xHIEijs=',
    tag: 35217,
    ds: '35217 15 2 401781b934e392de492ec77ae2e15d70f6575a1c0bc59c5275c04ebe80c6614c',
    rrsig: `MX 15 2 ${mxTimes} 35217 example.com. zXQ0bkYgQTEFyfLyi9QoiY6D8ZdYo4wyUhVioYZXFdT410QPRITQSqJSnzQoSm5poJ7gD7AQR0O7KuI5k2pcBg==`,
  },
  {
    ...mx,
    rfc: 'RFC 8080 §6.2, with the signature of erratum 4935',
    key: '257 3 16 3kgROaDjrh0H2iuixWBrc8g2EpBBLCdGzHmn+G2MpTPhpj/OiBVHHSfPodx1FYYUcJKm1MDpJtIA',
    tag: 9713,
    ds: '9713 16 2 6ccf18d5bc5d7fc2fceb1d59d17321402f2aa8d368048db93dd811f5cb2b19c7',
    rrsig: `MX 16 2 ${mxTimes} 9713 example.com. 3cPAHkmlnxcDHMyg7vFC34l0blBhuG1qpwLmjInI8w1CMB29FkEAIJUA0amxWndkmnBZ6SKiwZSAxGILn/NBtOXft0+Gj7FSvOKxE/07+4RQvE581N3Aj/JtIyaiYVdnYtyMWbSNyGEY2213WKsJlwEA`,
  },
  {
    ...mx,
    rfc: 'RFC 8080 §6.2, the second, with the signature of erratum 4935',
    key: '257 3 16 kkreGWoccSDmUBGAe7+zsbG6ZAFQp+syPmYUurBRQc3tDjeMCJcVMRDmgcNLp5HlHAMy12VoISsA',
    tag: 38353,
    ds: '38353 16 2 645ff078b3568f5852b70cb60e8e696cc77b75bfaaffc118cf79cbda1ba28af4',
    rrsig: `MX 16 2 ${mxTimes} 38353 example.com. E1/oLjSGIbmLny/4fcgM1z4oL6aqo+izT3urCyHyvEp4Sp8Syg1eI+lJ57CSnZqjJP41O/9l4m0AsQ4f7qI1gVnML8vWWiyW2KXhT9kuAICUSxv5OWbf81Rq7Yu60npabODB0QFPb/rkW3kUZmQ0YQUA`,
  },
]

for (const { rfc, zone, key, tag, ds, owner, type, data, rrsig } of printed) {
  const dnskey = parseRdata(RrType.DNSKEY, key)
  const { algorithm, publicKey } = dnskeyFromRdata(dnskey)

  test(`${rfc}: the key has the printed tag and DS`, () => {
    assert.equal(keyTag(dnskey), tag)
    if (ds === undefined) return
    const made = dsOf(parseName(zone), dnskey, Number(ds.split(' ')[2]), dnssecCrypto) ?? assert.fail()
    assert.equal(rdataToText(RrType.DS, made), ds)
  })

  test(`${rfc}: only the printed signature verifies`, () => {
    const { signature, ...head } = rrsigFromRdata(parseRdata(RrType.RRSIG, rrsig))
    const inputOf = (text: string) =>
      signingInput({ name: parseName(owner), data: [parseRdata(RrType[type], text)] }, head)
    const verified = (input: Uint8Array, by: Uint8Array) => dnssecCrypto.verify(algorithm, publicKey, input, by)
    assert.equal(verified(inputOf(data), signature), true)
    assert.equal(verified(inputOf(type === 'A' ? '192.0.2.92' : '11 mail.example.com.'), signature), false)
    for (let at = 0; at < signature.length; at++) {
      const other = Uint8Array.from(signature)
      other[at] = (other[at] ?? 0) ^ 0x40
      assert.equal(verified(inputOf(data), other), false)
    }
    assert.equal(verified(inputOf(data), signature.subarray(1)), false)
    assert.equal(verified(inputOf(data), new Uint8Array(0)), false)
  })
}

test('RFC 4034 §5.4 and RFC 4509 §2.3: the key has the printed tag and digests', () => {
  const key = parseRdata(
    RrType.DNSKEY,
    '256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
  )
  assert.equal(keyTag(key), 60485)
  for (const ds of [
    '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118',
    '60485 5 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
  ]) {
    const made = dsOf(parseName('dskey.example.com.'), key, Number(ds.split(' ')[2]), dnssecCrypto) ?? assert.fail()
    assert.equal(rdataToText(RrType.DS, made), ds)
  }
  assert.equal(dsOf(parseName('dskey.example.com.'), key, 3, dnssecCrypto), undefined)
})

test('the tag of an RSA/MD5 key is part of its modulus (RFC 4034 §B.1)', () => {
  const key = parseRdata(RrType.DNSKEY, '256 3 1 AQOeiiR0GOMYkDshWoSKz9Xz')
  assert.equal(keyTag(key), ((key.at(-3) ?? 0) << 8) | (key.at(-2) ?? 0))
})

test('a key that is not valid for its algorithm verifies no signature', () => {
  const message = Uint8Array.of(1)
  for (const [algorithm, publicKey] of [
    [1, new Uint8Array(64)],
    [8, new Uint8Array(0)],
    [8, Uint8Array.of(0)],
    [8, Uint8Array.of(0, 1)],
    [8, Uint8Array.of(200, 1, 2, 3)],
    [8, new Uint8Array(2000).fill(3)],
    [10, Uint8Array.of(1, 3)],
    [13, new Uint8Array(64)],
    [13, new Uint8Array(63).fill(7)],
    [14, new Uint8Array(96).fill(7)],
    [15, new Uint8Array(31)],
    [15, new Uint8Array(32).fill(255)],
    [16, new Uint8Array(57).fill(255)],
  ] as const)
    assert.equal(dnssecCrypto.verify(algorithm, publicKey, message, new Uint8Array(64)), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName } from '../../name.ts'
import { parseRdata } from '../../rdata.ts'
import { groupRecords, type Rrset } from '../../rrset.ts'
import { RrType } from '../../type.ts'
import { recordsFrom } from '../../zone-samples.test.ts'
import { keyTag } from '../dnskey.ts'
import { validate } from './validate.ts'
import { dsRrset, oldCrypto, questionOf, responseOf } from './validation-samples.test.ts'

/** The responses of RFC 4035 appendix B, with the signatures printed there. */

const zone = parseName('example.')
const times = (labels: number) => `5 ${labels} 3600 20040509183619 20040409183619 38519 example.`

const zsk =
  '256 3 5 AQOy1bZVvpPqhg4j7EJoM9rI3ZmyEx2OzDBVrZy/lvI5CQePxXHZS4i8dANH4DX3tbHol61ek8EFMcsGXxKciJFHyhl94C+NwILQdzsUlSFovBZsyl/NX6yEbtw/xN9ZNcrbYvgjjZ/UVPZIySFNsgEYvh0z2542lzMKR4Dh8uZffQ=='
const ksk =
  '257 3 5 AQOeX7+baTmvpVHb2CcLnL1dMRWbuscRvHXlLnXwDzvqp4tZVKp1sZMepFb8MvxhhW3y/0QZsyCjczGJ1qk8vJe52iOhInKROVLRwxGpMfzPRLMlGybr51bOV/1se0ODacj3DomyB4QB5gKTYot/K9alk5/j8vfd4jWCWD+E1Sze0Q=='
const keys = `@ DNSKEY ${zsk}
@ DNSKEY ${ksk}
@ RRSIG DNSKEY 5 1 3600 20040509183619 20040409183619 9465 example. ZxgauAuIj+k1YoVEOSlZfx41fcmKzTFHoweZxYnz99JVQZJ33wFS0Q0jcP7VXKkaElXk9nYJXevO/7nAbo88iWsMkSpSR6jWzYYKwfrBI/L9hjYmyVO9m6FjQ7uwM4dCP/bIuV/DKqOAK9NYNC3AHfvCV1Tp4VKDqxqG7R5tTVM=
@ RRSIG DNSKEY ${times(1)} eGL0s90glUqcOmloo/2y+bSzyEfKVOQViD9ZDNhLz/Yn9CQZlDVRJffACQDAUhXpU/oP34ribKBpysRXosczFrKqS5Oa0bzMOfXCXup9qHApeFIku28Vqfr8Nt7cigZLxjK+u0Ws/4lIRjKk7z5OXogYVaFzHKillDt3HRxHIZM=
`
const soa = `@ SOA ns1.example. bugs.x.w.example. 1081539377 3600 300 3600000 3600
@ RRSIG SOA ${times(1)} ONx0k36rcjaxYtcNgq6iQnpNV5+drqYAsC9h7TSJaHCqbhE67Sr6aH2xDUGcqQWu/n0UVzrFvkgO9ebarZ0GWDKcuwlM6eNB5SiX2K74l5LWDA7S/Un/IbtDq4Ay8NMNLQI7Dw7n4p8/rjkBjV7j86HyQgM5e7+miRAz8V01b0I=
`
const ns = `@ NS ns1.example.
@ NS ns2.example.
@ RRSIG NS ${times(1)} gl13F00f2U0R+SWiXXLHwsMY+qStYy5k6zfdEuivWc+wd1fmbNCyql0Tk7lHTX6UOxc8AgNf4ISFve8XqF4q+o9qlnqIzmppU3LiNeKT4FZ8RO5urFOvoMRTbQxW3U0hXWuggE4g3ZpsHv480HjMeRaZB/FRPGfJPajngcq6Kwg=
`
const nsec = {
  apex: `@ NSEC a.example. NS SOA MX RRSIG NSEC DNSKEY
@ RRSIG NSEC ${times(1)} O0k558jHhyrC97ISHnislm4kLMW48C7U7cBmFTfhke5iVqNRVTB1STLMpgpbDIC9hcryoO0VZ9ME5xPzUEhbvGnHd5sfzgFVeGxr5Nyyq4tWSDBgIBiLQUv1ivy29vhXy7WgR62dPrZ0PWvmjfFJ5arXf4nPxp/kEowGgBRzY/U=
`,
  b: `b NSEC ns1.example. NS RRSIG NSEC
b RRSIG NSEC ${times(2)} GNuxHn844wfmUhPzGWKJCPY5ttEX/RfjDoOx9ueK1PtYkOWKOOdiJ/PJKCYB3hYX+858dDWSxb2qnV/LSTCNVBnkm6owOpysY97MVj5VQEWs0lm9tFoqjcptQkmQKYPrwUnCSNwvvclSF1xZvhRXgWT7OuFXldoCG6TfVFMs9xE=
`,
  ns1: `ns1 NSEC ns2.example. A RRSIG NSEC
ns1 RRSIG NSEC ${times(2)} I4hj+Kt6+8rCcHcUdolks2S+Wzri9h3fHas81rGN/eILdJHN7JpV6lLGPIh/8fIBkfvdyWnBjjf1q3O7JgYO1UdI7FvBNWqaaEPJK3UkddBqZIaLi8Qr2XHkjq38BeQsbp8X0+6h4ETWSGT8IZaIGBLryQWGLw6Y6X8dqhlnxJM=
`,
  xyw: `x.y.w NSEC xx.example. MX RRSIG NSEC
x.y.w RRSIG NSEC ${times(4)} OvE6WUzN2ziieJcvKPWbCAyXyP6ef8cr6CspArVSTzKSquNwbezZmkU7E34o5lmb6CWSSSpgxw098kNUFnHcQf/LzY2zqRomubrNQhJTiDTXa0ArunJQCzPjOYq5t0SLjm6qp6McJI1AP5VrQoKqJDCLnoAlcPOPKAm/jJkn3jk=
`,
  wildcard: `*.w NSEC x.w.example. MX RRSIG NSEC
*.w RRSIG NSEC ${times(2)} r/mZnRC3I/VIcrelgIcteSxDhtsdlTDt8ng9HSBlABOlzLxQtfgTnn8f+aOwJIAFe1Ee5RvU5cVhQJNP5XpXMJHfyps8tVvfxSAXfahpYqtx91gsmcV/1V9/bZAG55CefP9cM4Z9Y9NT9XQ8s1InQ2UoIv6tJEaaKkP701j8OLA=
`,
}
const mx = `x.w MX 1 xx.example.
x.w RRSIG MX ${times(3)} Il2WTZ+Bkv+OytBx4LItNW5mjB4RCwhOO8y1XzPHZmZUTVYL7LaA63f6T9ysVBzJRI3KRjAPH3U1qaYnDoN1DrWqmi9RJe4FoObkbcdm7P3Ikx70ePCoFgRz1Yq+bVVXCvGuAU4xALv3W/Y1jNSlwZ2mSWKHfxFQxPtLj8s32+k=
`
const ds = `a DS 57855 5 1 B6DCD485719ADCA18E5F3D48A2331627FDD3636B
a RRSIG DS ${times(2)} oXIKit/QtdG64J/CB+Gi8dOvnwRvqrto1AdQoRkAN15FP3iZ7suB7gvTBmXzCjL7XUgQVcoHkdhyCuzp8W9qJHgRUSwKKkczSyuL64nhgjuDEML8l9wlWVsl7PR2VnZduM9bLyBhaaPmRKX/Fm+v6ccF2EGNLRiY08kdkz+XHHo=
`
const wildcardMx = `MX 1 ai.example.
a.z.w RRSIG MX ${times(2)} OMK8rAZlepfzLWW75Dxd63jy2wswESzxDKG2f9AMN1CytCd10cYISAxfAdvXSZ7xujKAtPbctvOQ2ofO7AZJ+d01EeeQTVBPq4/6KCWhqe2XTjnkVLNvvhnc0u28aoSsG0+4InvkkOHknKxw4kX18MMR34i8lC36SR5xBni8vHI=
`

const rrsets = (text: string): Rrset[] => groupRecords(recordsFrom(`$TTL 3600\n${text}`, zone))

interface Sections {
  readonly rcode?: number
  readonly answers?: string
  readonly authorities?: string
}

async function statusOf(
  name: string,
  type: string,
  { rcode = 0, answers = '', authorities = '' }: Sections,
  at = '2004-05-01',
) {
  const question = questionOf(name, type)
  const response = responseOf(question, { rcode, answers: rrsets(answers), authorities: rrsets(authorities) })
  const ask = async (about: string, of: RrType) => {
    if (of === RrType.DNSKEY) return responseOf(questionOf(about, 'DNSKEY'), { answers: rrsets(keys) })
    return responseOf(questionOf(about, 'DS'), { authorities: rrsets(soa + nsec.b) })
  }
  const unixSeconds = Date.parse(at) / 1000
  const anchors = [dsRrset(zone, parseRdata(RrType.DNSKEY, ksk))]
  return (await validate(question, response, { anchors, ask, crypto: oldCrypto, unixSeconds })).status
}

test('the tags of the keys match those of their signatures', () => {
  assert.equal(keyTag(parseRdata(RrType.DNSKEY, zsk)), 38519)
  assert.equal(keyTag(parseRdata(RrType.DNSKEY, ksk)), 9465)
})

test('B.1: an answer, within the time of its signatures', async () => {
  const sections = { answers: mx, authorities: ns }
  assert.equal(await statusOf('x.w.example.', 'MX', sections), 'secure')
  assert.equal(await statusOf('x.w.example.', 'MX', sections, '2004-04-09T18:36:18Z'), 'bogus')
  assert.equal(await statusOf('x.w.example.', 'MX', sections, '2004-05-09T18:36:20Z'), 'bogus')
  assert.equal(await statusOf('x.w.example.', 'MX', { answers: mx.replace('MX 1', 'MX 2') }), 'bogus')
})

test('B.2: a name error needs both of its proofs', async () => {
  const sections = { rcode: 3, authorities: soa + nsec.b + nsec.apex }
  assert.equal(await statusOf('ml.example.', 'A', sections), 'secure')
  assert.equal(await statusOf('ml.example.', 'A', { ...sections, authorities: soa + nsec.b }), 'bogus')
  assert.equal(await statusOf('ml.example.', 'A', { ...sections, authorities: soa + nsec.apex }), 'bogus')
  assert.equal(await statusOf('ml.example.', 'A', { ...sections, rcode: 0 }), 'bogus')
  assert.equal(await statusOf('x.b.example.', 'A', sections), 'bogus', 'names below a zone cut')
})

test('B.3: no data', async () => {
  assert.equal(await statusOf('ns1.example.', 'MX', { authorities: soa + nsec.ns1 }), 'secure')
  assert.equal(await statusOf('ns1.example.', 'A', { authorities: soa + nsec.ns1 }), 'bogus')
})

test('B.4: the DS records of a signed delegation', async () => {
  assert.equal(await statusOf('a.example.', 'DS', { answers: ds }), 'secure')
})

test('B.5: an unsigned delegation and the names below it', async () => {
  assert.equal(await statusOf('b.example.', 'DS', { authorities: soa + nsec.b }), 'secure')
  assert.equal(
    await statusOf('b.example.', 'MX', { authorities: soa + nsec.b }),
    'bogus',
    'the upper side knows only of DS',
  )
  assert.equal(await statusOf('mc.b.example.', 'MX', { answers: 'mc.b MX 1 b.example.\n' }), 'insecure')
})

test('B.6: a wildcard’s records need the proof that nothing is closer', async () => {
  const answers = `a.z.w ${wildcardMx}`
  assert.equal(await statusOf('a.z.w.example.', 'MX', { answers, authorities: ns + nsec.xyw }), 'secure')
  assert.equal(await statusOf('a.z.w.example.', 'MX', { answers, authorities: ns }), 'bogus')
  assert.equal(await statusOf('a.z.w.example.', 'MX', { answers, authorities: nsec.ns1 }), 'bogus')
  const closer = answers.replaceAll('a.z.w', 'a.y.w')
  assert.equal(await statusOf('a.y.w.example.', 'MX', { answers: closer, authorities: nsec.xyw }), 'bogus')
})

test('B.7: a wildcard without the type', async () => {
  assert.equal(await statusOf('a.z.w.example.', 'AAAA', { authorities: soa + nsec.xyw + nsec.wildcard }), 'secure')
  assert.equal(await statusOf('a.z.w.example.', 'MX', { authorities: soa + nsec.xyw + nsec.wildcard }), 'bogus')
  assert.equal(await statusOf('a.z.w.example.', 'AAAA', { authorities: soa + nsec.xyw }), 'bogus')
})

test('B.8: the DS records of the zone are in its parent zone, which has no trust anchor', async () => {
  assert.equal(await statusOf('example.', 'DS', { authorities: soa + nsec.apex }), 'indeterminate')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { isPublicAddress, readTarget } from './guard.ts'

/** Each refused block (design: webhooks, "Where it may not go"): its first and last address, and the neighbors outside. */
const refusedBlocks: readonly (readonly [string, string, string, ...string[]])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['all below 2000::/3', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['all above 2000::/3', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::', '2620:4f:8001::'],
]

for (const [block, first, last, ...outside] of refusedBlocks)
  test(`sends no webhook to ${block}, but its neighbors are allowed`, () => {
    assert.equal(isPublicAddress(first), false, first)
    assert.equal(isPublicAddress(last), false, last)
    for (const address of outside) assert.equal(isPublicAddress(address), true, address)
  })

test('IPv4 addresses inside IPv6 ones are refused: mapped, compatible, NAT64, 6to4, Teredo', () => {
  for (const address of [
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
  ])
    assert.equal(isPublicAddress(address), false, address)
})

test('local IPv6 addresses are refused: loopback, link-local, unique local, multicast, and any with a zone', () => {
  for (const address of ['::1', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', 'fe80::1%eth0', '2a00::1%eth0'])
    assert.equal(isPublicAddress(address), false, address)
})

test('text that is not an address is not a public address', () => {
  for (const text of ['', 'example.com', '999.1.1.1', '[2a00::1]']) assert.equal(isPublicAddress(text), false, text)
})

const nobody = new Set<string>()

/** The spellings of an address in a URL: each that a URL parser reads as the address, or that a translator maps to it. */
function spellings(address: string): string[] {
  if (address.includes(':')) {
    const whole = ipaddr.IPv6.parse(address).toNormalizedString()
    const padded = whole.replaceAll(/\w+/g, (part) => part.padStart(4, '0'))
    return [address, whole, whole.toUpperCase(), padded].map((text) => `[${text}]`)
  }
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const octal = (part: number) => `0${part.toString(8)}`
  const hex = (part: number) => `0x${part.toString(16)}`
  const pair = (high: number, low: number) => (high * 256 + low).toString(16)
  return [
    address,
    `${address}.`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    String(number),
    hex(number),
    octal(number),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${hex(a)}.${octal(b)}.${c * 256 + d}`,
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::FFFF:${pair(a, b)}:${pair(c, d)}]`,
    `[::${pair(a, b)}:${pair(c, d)}]`,
    `[64:ff9b::${address}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  ]
}

/** The spellings that mean the address itself, so that a public address is accepted in each of them. */
const plain = (address: string): string[] =>
  spellings(address).filter((text) => address.includes(':') || !text.includes(':'))

test('refuses each blocked address in every spelling, and accepts its public neighbors', () => {
  let refused = 0
  for (const [, first, last, ...outside] of refusedBlocks) {
    for (const host of [first, last].flatMap(spellings)) {
      assert.equal(typeof readTarget(`https://${host}/`, nobody), 'string', host)
      refused += 1
    }
    for (const host of outside.flatMap(plain))
      assert.equal(typeof readTarget(`https://${host}/`, nobody), 'object', host)
  }
  assert.ok(refused > 600)
})

test('for any private address in any spelling, the refusal says only that it is not public', () => {
  for (const host of [
    '10.0.0.1',
    '127.1',
    '0x7f000001',
    '169.254.169.254',
    '192.168.1.1:8443',
    '[::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    'localhost',
    'intranet',
    'db.internal',
    'printer.local.',
  ])
    assert.equal(readTarget(`https://${host}/`, nobody), 'The address is not public.', host)
})

const refusedUrls = [
  'not a url',
  '/hooks',
  'http://example.com/',
  'ftp://example.com/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://localhost/',
  'https://localhost./',
  'https://intranet/',
  'https://intranet./',
  'https://printer.local/',
  'https://printer.local./',
  'https://PRINTER.LOCAL/',
  'https://metadata.google.internal/',
  'https://app.localhost/',
  'https://abcdef.onion/',
  'https://example.com:0/',
  // 127.0.0.1 in the spellings that a URL parser accepts.
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0177.0.0.01/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[0:0:0:0:0:ffff:7f00:0001]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://192.168.1.1:8443/',
]

for (const url of refusedUrls)
  test(`${url} is refused`, () => {
    assert.equal(typeof readTarget(url, nobody), 'string')
  })

const accepted: readonly (readonly [string, string, number])[] = [
  ['https://example.com/hooks?a=b#c', 'example.com', 443],
  ['https://example.com.:8443/', 'example.com', 8443],
  ['https://bücher.example/', 'xn--bcher-kva.example', 443],
  ['https://8.8.8.8/', '8.8.8.8', 443],
  ['https://[2a00:1450::1]:444/', '2a00:1450::1', 444],
]

for (const [url, host, port] of accepted)
  test(`${url} resolves to the target ${host}, port ${port}`, () => {
    const target = readTarget(url, nobody)
    assert.ok(typeof target !== 'string')
    assert.deepEqual([target.host, target.port, target.trusted], [host, port, false])
  })

test('a trusted target may be private, only on exactly that port and with https', () => {
  const trusted = new Set(['127.0.0.1:8443', 'localhost:8443', '[::1]:8443'])
  for (const url of ['https://127.0.0.1:8443/hooks', 'https://localhost:8443/', 'https://[::1]:8443/']) {
    const target = readTarget(url, trusted)
    assert.ok(typeof target !== 'string' && target.trusted, url)
  }
  for (const url of [
    'https://127.0.0.1/',
    'https://127.0.0.1:8444/',
    'http://127.0.0.1:8443/',
    'https://127.0.0.2:8443/',
  ])
    assert.equal(typeof readTarget(url, trusted), 'string', url)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import { connectTemplateOf } from './connect-template.ts'
import { wantedRecords } from './wanted-records.ts'

const zone = 'example.com'

function templateOf(...records: object[]) {
  const ids = { providerId: 'p', providerName: 'P', serviceId: 's', serviceName: 'S' }
  return connectTemplateOf({ ...ids, records }).template
}

const site = templateOf(
  { type: 'A', host: '@', pointsTo: '%IP%', ttl: '1800' },
  { type: 'TXT', host: '@', data: 'token=%token%', ttl: '600', groupId: 'verify' },
  { type: 'CNAME', host: '%label%', pointsTo: '%server%.p.example', ttl: 600, groupId: 'verify' },
  { type: 'MX', host: '@', pointsTo: 'mx.p.example', priority: '%priority%', ttl: 600, groupId: 'mail' },
)

const all = { IP: '192.0.2.1', token: 'abc', label: 'v', server: 's1', priority: '10' }

function lines(parameters: Record<string, string>, template = site): string[] {
  return wantedRecords(template, zone, { parameters: new Map(Object.entries(parameters)) }).map((record) =>
    [record.name, record.type, record.ttl, 'value' in record ? record.value : record.spfRules.join(' ')].join(' '),
  )
}

function codes(parameters: Record<string, string>, template = site): string[] {
  try {
    return lines(parameters, template)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.details.map(({ code, path = '' }) => `${code} ${path}`)
  }
}

test('a link without groups sets every record and ignores parameters that are not variables', () => {
  assert.deepEqual(lines({ ...all, domain: zone, state: 'x', sig: 'y', redirect_uri: 'z', vnd: '1' }), [
    'example.com A 1800 192.0.2.1',
    'example.com TXT 600 "token=abc"',
    'v.example.com CNAME 600 s1.p.example.',
    'example.com MX 600 10 mx.p.example.',
  ])
})

test('groups select records, and need only their variables', () => {
  assert.deepEqual(lines({ IP: '192.0.2.1', priority: '5', groupId: 'mail' }), [
    'example.com A 1800 192.0.2.1',
    'example.com MX 600 5 mx.p.example.',
  ])
  assert.equal(lines({ ...all, groupId: 'mail,verify' }).length, 4)
  assert.deepEqual(lines({ ...all, groupId: 'Mail' }), ['example.com A 1800 192.0.2.1'])
  const grouped = templateOf({ type: 'A', host: '@', pointsTo: '192.0.2.1', groupId: 'a' })
  assert.deepEqual(codes({ groupId: 'b' }, grouped), ['unknown_group '])
})

test('every variable needs a value', () => {
  assert.deepEqual(codes({ IP: '192.0.2.1' }), [
    'missing /parameters/token',
    'missing /parameters/label',
    'missing /parameters/server',
    'missing /parameters/priority',
  ])
})

test('a host applies the template below the zone, and must be one name in the zone', () => {
  assert.deepEqual(lines({ ...all, host: 'shop', groupId: 'verify' }), [
    'shop.example.com A 1800 192.0.2.1',
    'shop.example.com TXT 600 "token=abc"',
    'v.shop.example.com CNAME 600 s1.p.example.',
  ])
  for (const host of ['', '@', 'example.com.'])
    assert.equal(lines({ ...all, host })[0], 'example.com A 1800 192.0.2.1', host)
  for (const host of [
    '*',
    '*.shop',
    'a.*',
    'example.org.',
    'com.',
    '.',
    'a..b',
    'a b',
    'a\nb',
    'x'.repeat(64),
    '-@-',
    '\u0000',
  ])
    assert.throws(() => lines({ ...all, host }), Refusal, JSON.stringify(host))
})

test('refuses malicious values of variables, with their places', () => {
  const bad: Readonly<Record<keyof typeof all, string[]>> = {
    IP: ['192.0.2.1\n192.0.2.2', '@', '192.0.2.1 evil', 'evil.example', '::1', '192.0.2.256', '%token%', '0x7f.1'],
    token: ['a\nb', 'a\r\nwww A 192.0.2.9', 'a\u0000', 'a\u0085b', 'x'.repeat(70_000)],
    label: [
      '*',
      '@',
      '*.x',
      'a.',
      'x.example.org.',
      'example.org.',
      'a b',
      'a\n',
      '..',
      '%domain%',
      'é',
      'a@b',
      'x'.repeat(64),
    ],
    server: ['evil.example. ', 'evil.example\n', '@', 'a b', 'evil.example/', '"', ';', '%domain%', 'x'.repeat(300)],
    priority: ['-1', '65536', '1 evil.example.', '0x10', '1e3', '١', '10\n20'],
  }
  for (const [name, values] of Object.entries(bad))
    for (const value of values)
      assert.match(
        codes({ ...all, [name]: value })[0] ?? '',
        new RegExp(`^\\w+ /parameters/${name}$`),
        `${name} ${JSON.stringify(value)}`,
      )
})

test('inserts a value once and literally: it is not expanded again and cannot leave its part of the record', () => {
  assert.deepEqual(lines({ ...all, token: '%IP% "; %label%' }).slice(1, 2), [
    String.raw`example.com TXT 600 "token=%IP% \"; %label%"`,
  ])
  // The fixed part of the template remains, so the value can only be a name below it.
  assert.ok(lines({ ...all, server: 'evil.example' }).includes('v.example.com CNAME 600 evil.example.p.example.'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import { fillTemplate } from './fill-template.ts'
import { parseTemplate } from './template.ts'
import { parametersOf } from './variables.ts'

const head = { providerId: 'example.net', providerName: 'Example', serviceId: 'site', serviceName: 'Example site' }

function template(records: object[], more: object = {}) {
  return parseTemplate({ ...head, ...more, records })
}

function filled(records: object[], parameters: Record<string, string> = {}, more: object = {}): string[] {
  return fillTemplate(template(records, more), 'example.com', parameters).map((record) =>
    [record.name, record.ttl, record.type, 'value' in record ? record.value : `SPF ${record.spfRules.join(' ')}`].join(
      ' ',
    ),
  )
}

/** The errors of a refusal, as `code place`. */
function faults(records: object[], parameters: Record<string, string> = {}, more: object = {}): string[] {
  try {
    filled(records, parameters, more)
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.details.map(({ code, path }) => `${code} ${path}`)
  }
  return []
}

const cname = { type: 'CNAME', host: 'www', pointsTo: '%site%.example.net', ttl: 600 }
const txt = { type: 'TXT', host: '@', data: 'code=%code%', ttl: 600 }

test('a template is applied to the zone or to the given host, however the name of the host is written', () => {
  const records = [
    cname,
    { type: 'A', host: '@', pointsTo: '192.0.2.%n%', ttl: 600 },
    { type: 'CNAME', host: 'blog', pointsTo: '@', ttl: 600 },
    { type: 'MX', host: 'm.example.com.', pointsTo: 'mail.example.net.', priority: 5, ttl: 600 },
  ]
  const parameters = { site: 'my-site', n: '7' }
  assert.deepEqual(filled(records, parameters), [
    'www.example.com 600 CNAME my-site.example.net.',
    'example.com 600 A 192.0.2.7',
    'blog.example.com 600 CNAME example.com.',
    'm.example.com 600 MX 5 mail.example.net.',
  ])
  for (const host of ['shop', 'Shop', 'shop.example.com', 'shop.example.com.'])
    assert.deepEqual(filled(records, { ...parameters, host }), [
      'www.shop.example.com 600 CNAME my-site.example.net.',
      'shop.example.com 600 A 192.0.2.7',
      'blog.shop.example.com 600 CNAME shop.example.com.',
      'm.example.com 600 MX 5 mail.example.net.',
    ])
  assert.deepEqual(filled([txt], { code: 'x', host: 'bücher' }), ['xn--bcher-kva.example.com 600 TXT "code=x"'])
  assert.deepEqual(filled([{ ...txt, data: '%host%|%fqdn%|%domain%' }], { host: 'shop' }), [
    'shop.example.com 600 TXT "shop|shop.example.com|example.com"',
  ])
})

test('texts are quoted and split, so that no value can break out of its string', () => {
  const code = `a"b\\c; "${'é'.repeat(200)}`
  const [record] = fillTemplate(template([txt]), 'example.com', { code })
  assert.ok(record && 'value' in record)
  assert.match(record.value, /^"code=a\\"b\\\\c; \\"(?:\\\d{3})+" "(?:\\\d{3})+"$/)
})

test('a value is inserted once: variables that it contains are not replaced', () => {
  assert.deepEqual(filled([{ ...txt, data: '%code% %other%' }], { code: '%other%%domain%', other: 'x' }), [
    'example.com 600 TXT "%other%%domain% x"',
  ])
})

test('values are trimmed, and an empty value counts as missing', () => {
  assert.deepEqual(filled([cname], { site: ' my-site\n' }), ['www.example.com 600 CNAME my-site.example.net.'])
  assert.deepEqual(faults([cname], { site: '  ' }), ['missing /parameters/site'])
})

test('all errors of the parameters are reported at once, each at its parameter', () => {
  assert.deepEqual(faults([cname, txt], { code: 'a\u0007b', 'a/b~c': 'x', host: 'other.example.org.' }), [
    'unknown_member /parameters/a~1b~0c',
    'missing /parameters/site',
    'invalid /parameters/code',
    'out_of_zone /parameters/host',
  ])
})

test('a value cannot inject syntax: each place accepts only what belongs there', () => {
  const hostile: [record: object, values: string[]][] = [
    [
      { type: 'CNAME', host: '%v%', pointsTo: 'x.example.net' },
      ['@', '*', 'a.', '.a', 'a..b', 'a b', 'a\\046b', '-a', 'ü', 'a\tb'],
    ],
    [
      { type: 'CNAME', host: 'www', pointsTo: '%v%.example.net' },
      ['https://x', 'a b', 'x/', '@', '..', '-', '"', '\\000'],
    ],
    [{ type: 'A', host: '@', pointsTo: '%v%' }, ['example.net', '1 2', '@', 'a%b']],
    [
      { type: 'MX', host: '@', pointsTo: 'x.example.net', priority: '%v%' },
      ['-1', '1.5', '0x1', '1e3', '10 evil.', '99999999999'],
    ],
    [{ type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: '%v%' }, ['1h', '-60', '']],
    [{ type: 'SPFM', host: '@', spfRules: 'include:%v%' }, ['a +all', 'a\tb', 'é']],
    [{ type: 'CAA', host: '@', data: '0 issue "%v%"' }, ['a" 0 issue "b', 'a b', '\\', ';']],
    [{ type: 'TXT', host: '@', data: '%v%' }, ['a\0b', 'a\nb', '\u0085']],
  ]
  for (const [record, values] of hostile)
    for (const v of values) {
      const [fault] = faults([record], { v })
      assert.match(
        String(fault),
        /^(invalid|missing) \/parameters\/v$/,
        `${JSON.stringify(record)} ${JSON.stringify(v)}`,
      )
    }
})

test('a record with inserted values is checked like any other, and its errors are reported at the parameter', () => {
  const cases: [record: object, v: string, fault: string][] = [
    [{ type: 'A', host: '@', pointsTo: '192.0.2.%v%' }, '256', 'bad_rdata /parameters/v'],
    [{ type: 'AAAA', host: '@', pointsTo: '%v%' }, '192.0.2.1', 'bad_rdata /parameters/v'],
    [{ type: 'CNAME', host: '%v%', pointsTo: 'x.example.net' }, 'x'.repeat(64), 'bad_name /parameters/v'],
    [{ type: 'MX', host: '@', pointsTo: 'x.example.net', priority: '%v%' }, '65536', 'bad_rdata /parameters/v'],
    [{ type: 'MX', host: '@', pointsTo: '%v%', priority: 1 }, '192.0.2.1', 'bad_rdata /parameters/v'],
    [{ type: 'SPFM', host: '@', spfRules: '%v%' }, '+all', 'bad_rdata /parameters/v'],
    [{ type: 'SPFM', host: '@', spfRules: '%v%' }, 'redirect=evil.example', 'bad_rdata /parameters/v'],
  ]
  for (const [record, v, fault] of cases) assert.deepEqual(faults([record], { v }), [fault], JSON.stringify(record))
})

test('an error that only another host could fix is reported at the host', () => {
  const atHost = { type: 'CNAME', host: '@', pointsTo: 'x.example.net' }
  assert.deepEqual(faults([atHost]), ['cname_at_apex /parameters/host'])
  assert.deepEqual(faults([atHost], {}, { hostRequired: true }), ['missing /parameters/host'])
  const site = { type: 'A', host: '@', pointsTo: '192.0.2.1' }
  for (const host of ['@', 'example.com', 'Example.com.', ' @ '])
    for (const record of [atHost, site])
      assert.deepEqual(faults([record], { host }, { hostRequired: true }), ['invalid /parameters/host'], host)
  assert.deepEqual(filled([site], { host: '@' }), ['example.com 3600 A 192.0.2.1'])
  assert.deepEqual(filled([atHost], { host: 'app' }, { hostRequired: true }), [
    'app.example.com 3600 CNAME x.example.net.',
  ])
  assert.deepEqual(faults([{ type: 'NS', host: '@', pointsTo: 'ns.example.net' }]), ['service_owned /parameters/host'])
  assert.deepEqual(faults([atHost, { ...atHost, host: 'a' }], { host: '*.*' }), ['bad_name /parameters/host'])
})

test('a TTL outside the service’s bounds is set to the nearest bound', () => {
  assert.deepEqual(
    filled(
      [
        { ...txt, ttl: 1 },
        { ...txt, ttl: '%t%', host: 'x' },
      ],
      { code: 'x', t: '9999999' },
    ),
    ['example.com 30 TXT "code=x"', 'x.example.com 604800 TXT "code=x"'],
  )
})

test('a group is left out if all of its own parameters are missing; if only some are, it is refused', () => {
  const records = [
    cname,
    { ...txt, groupId: 'verification' },
    { type: 'TXT', host: '%selector%._domainkey', data: '%key% %site%', groupId: 'dkim' },
    { type: 'A', host: '@', pointsTo: '192.0.2.1', groupId: 'web' },
  ]
  const names = (parameters: Record<string, string>) => filled(records, parameters).map((line) => line.split(' ')[0])
  assert.deepEqual(names({ site: 'x' }), ['www.example.com', 'example.com'])
  assert.deepEqual(names({ site: 'x', code: 'y' }), ['www.example.com', 'example.com', 'example.com'])
  assert.deepEqual(names({ site: 'x', selector: 's', key: 'k' }), [
    'www.example.com',
    's._domainkey.example.com',
    'example.com',
  ])
  assert.deepEqual(faults(records, { site: 'x', key: 'k' }), ['missing /parameters/selector'])
  assert.deepEqual(
    parametersOf(template(records)).map(({ name, required }) => [name, required]),
    [
      ['site', true],
      ['code', false],
      ['selector', false],
      ['key', false],
      ['host', false],
    ],
  )
})

test('a template that consists only of groups always sets the first one', () => {
  const records = [
    { ...txt, groupId: 'a' },
    { ...cname, groupId: 'b' },
  ]
  assert.deepEqual(faults(records), ['missing /parameters/code'])
  assert.deepEqual(filled(records, { code: 'x' }), ['example.com 600 TXT "code=x"'])
})

test('labels and examples come from variableDescription; if it has none, the label is the name', () => {
  const words = { variableDescription: 'site: Name of the site, e.g. my-site; code: Code that is shown' }
  assert.deepEqual(parametersOf(template([cname, txt], words)).slice(0, 2), [
    { name: 'site', label: 'Name of the site', example: 'my-site', required: true },
    { name: 'code', label: 'Code that is shown', example: '', required: true },
  ])
  assert.deepEqual(parametersOf(template([cname], { variableDescription: 'whatever they wrote' }))[0], {
    name: 'site',
    label: 'site',
    example: '',
    required: true,
  })
})

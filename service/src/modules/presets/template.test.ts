import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate } from './template.ts'

const head = { providerId: 'example.net', providerName: 'Example', serviceId: 'site', serviceName: 'Example site' }

function parsed(...records: object[]) {
  return parseTemplate({ ...head, records }).records.map(({ type, owner, ttl, data, group, txtConflict }) => [
    type,
    owner.text,
    ttl.text,
    data.map(({ text }) => text).join(' '),
    group,
    txtConflict.mode,
  ])
}

function refusal(template: object): string {
  try {
    parseTemplate(template)
  } catch (error) {
    return (error as Error).message
  }
  return 'no fault'
}

test('every type of the format becomes a record with its owner, TTL and value', () => {
  assert.deepEqual(
    parsed(
      { type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: 600 },
      { type: 'AAAA', host: '@', pointsTo: '2001:db8::1', ttl: '600' },
      { type: 'CNAME', host: 'www', pointsTo: '@', ttl: '%ttl%', groupId: 'web', essential: 'OnApply' },
      { type: 'NS', host: 'sub', pointsTo: 'ns1.example.net' },
      { type: 'MX', host: '@', pointsTo: 'mail.example.net', priority: '10', ttl: 600 },
      {
        type: 'TXT',
        host: '@',
        data: 'v=x1 %code%',
        txtConflictMatchingMode: 'Prefix',
        txtConflictMatchingPrefix: 'v=x',
      },
      { type: 'SPFM', host: '@', spfRules: 'include:example.net' },
      { type: 'CAA', host: '@', data: '0 issue "example.net"' },
    ),
    [
      ['A', '@', '600', '192.0.2.1', undefined, 'None'],
      ['AAAA', '@', '600', '2001:db8::1', undefined, 'None'],
      ['CNAME', 'www', '%ttl%', '@', 'web', 'None'],
      ['NS', 'sub', '3600', 'ns1.example.net', undefined, 'None'],
      ['MX', '@', '600', '10 mail.example.net', undefined, 'None'],
      ['TXT', '@', '3600', 'v=x1 %code%', undefined, 'Prefix'],
      ['SPFM', '@', '3600', 'include:example.net', undefined, 'None'],
      ['CAA', '@', '3600', '0 issue "example.net"', undefined, 'None'],
    ],
  )
})

test('SRV accepts its service and protocol with and without underscores, and its host as `name`', () => {
  const srv = { type: 'SRV', priority: 0, weight: 5, port: 443, target: 'x.example.net', ttl: 60 }
  assert.deepEqual(
    parsed(
      { ...srv, name: '@', service: '_jmap', protocol: '_tcp' },
      { ...srv, name: 'chat', service: 'xmpp', protocol: 'TCP' },
      { ...srv, host: 'voice', service: 'sip', protocol: 'udp' },
    ).map(([, owner, , data]) => [owner, data]),
    [
      ['_jmap._tcp', '0 5 443 x.example.net'],
      ['_xmpp._tcp.chat', '0 5 443 x.example.net'],
      ['_sip._udp.voice', '0 5 443 x.example.net'],
    ],
  )
})

test('an APEXCNAME becomes an ALIAS at the name that the template is applied to, unless it has a host', () => {
  const owners = parsed(
    { type: 'APEXCNAME', pointsTo: 'x.example.net' },
    { type: 'APEXCNAME', host: 'a', pointsTo: 'y' },
  )
  assert.deepEqual(
    owners.map(([type, owner, , data]) => [type, owner, data]),
    [
      ['ALIAS', '@', 'x.example.net'],
      ['ALIAS', 'a', 'y'],
    ],
  )
})

test('unknown members are ignored', () => {
  const record = { type: 'A', host: '@', pointsTo: '192.0.2.1', ttl: 60, comment: 'x' }
  const template = parseTemplate({ ...head, logoUrl: 'https://example.net/', syncBlock: true, records: [record] })
  assert.equal(template.records.length, 1)
})

test('an invalid template is refused with one line that names every error', () => {
  const a = { type: 'A', host: '@', pointsTo: '192.0.2.1' }
  const cases: [template: object, message: RegExp][] = [
    [[], /^the template: /],
    [{ ...head }, /^records: /],
    [{ ...head, records: [] }, /^records: /],
    [{ ...head, providerId: '../etc', records: [a] }, /^providerId: only letters, digits/],
    [{ ...head, records: [a, { type: 'REDIR301', target: 'x' }] }, /^records\.1\.type: the type must be A, AAAA/],
    [{ ...head, records: [{ ...a, ttl: 'soon' }] }, /^records\.0\.ttl: must be a whole number/],
    [{ ...head, records: [{ type: 'A', host: '@' }] }, /^records\.0\.pointsTo: /],
    [
      { ...head, records: [{ type: 'TXT', host: '@', data: 'x', txtConflictMatchingMode: 'Prefix' }] },
      /requires txtConflictMatchingPrefix/,
    ],
    [
      { ...head, serviceName: '', records: [{ type: 'MX', host: '@', pointsTo: 'x' }] },
      /serviceName: .*; records\.0\.priority: /,
    ],
  ]
  for (const [template, message] of cases) {
    assert.match(refusal(template), message)
    assert.ok(!refusal(template).includes('\n'))
  }
})

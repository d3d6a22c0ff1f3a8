import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectTemplateOf, readConnectTemplates, templateId } from './connect-template.ts'

const base = {
  providerId: 'Example.net',
  providerName: 'Example',
  serviceId: 'site',
  serviceName: 'Example site',
  records: [{ type: 'TXT', host: '@', data: '%code%', ttl: '3600' }],
}

// Domain-Connect/Templates, exampleservice.domainconnect.org.template2.json.
const published = {
  providerId: 'exampleservice.domainconnect.org',
  providerName: 'Example Domain Connect Service',
  serviceId: 'template2',
  serviceName: 'Stateless Hosting Secondary',
  syncPubKeyDomain: 'exampleservice.domainconnect.org',
  syncRedirectDomain: 'exampleservice.domainconnect.org',
  logoUrl: 'https://domainconnect.org/logo.png',
  description: 'Example service for stateless hosting, alternative template',
  variableDescription: 'IP is the IP address of the service A record.',
  records: [
    { type: 'A', host: '@', pointsTo: '%IP%', ttl: '1800' },
    { type: 'TXT', host: '@', data: '%RANDOMTEXT%', ttl: '1800' },
    { type: 'CNAME', host: 'whd', pointsTo: '@', ttl: '600' },
  ],
}

test('reads everything that the synchronous flow needs from a published template', () => {
  const { template, ...sync } = connectTemplateOf(published)
  assert.equal(template.records.length, 3)
  assert.deepEqual(sync, {
    id: 'exampleservice.domainconnect.org/template2',
    version: undefined,
    syncBlock: false,
    syncPubKeyDomain: 'exampleservice.domainconnect.org',
    redirectDomains: ['exampleservice.domainconnect.org'],
    isShared: false,
    warnPhishing: false,
  })
})

test('stores domains in lower case, without a final dot and spaces', () => {
  const { redirectDomains, syncPubKeyDomain } = connectTemplateOf({
    ...base,
    syncRedirectDomain: 'A.example., b.example,',
    syncPubKeyDomain: ' Keys.Example. ',
  })
  assert.deepEqual([redirectDomains, syncPubKeyDomain], [['a.example', 'b.example'], 'keys.example'])
  assert.equal(connectTemplateOf({ ...base, syncPubKeyDomain: '' }).syncPubKeyDomain, undefined)
})

test('does not install a template that the service could apply only in part', () => {
  const bad: Readonly<Record<string, object>> = {
    'an unknown type': { records: [...base.records, { type: 'REDIR301', host: '@', target: 'https://example.net' }] },
    'nameservers of the domain': { records: [{ type: 'NS1', pointsTo: 'ns1.example.net' }] },
    'no records': { records: [] },
    'a variable of the protocol': { records: [{ type: 'TXT', host: '@', data: '%state%' }] },
    'a signature as a variable': { records: [{ type: 'TXT', host: '@', data: 'x%sig%' }] },
    'a redirect to all hosts': { syncRedirectDomain: '*' },
    'a redirect to a top-level domain': { syncRedirectDomain: 'example' },
    'a redirect with a path': { syncRedirectDomain: 'example.net/done' },
    'a key at a URL': { syncPubKeyDomain: 'https://example.net' },
    'a later format': { templateSpecVersion: 2 },
    'a member that it requires': { crit: ['vnd.example.x'], 'vnd.example.x': 1 },
    'a number in place of a flag': { syncBlock: 1 },
    'a CNAME at the apex': { records: [{ type: 'CNAME', host: '@', pointsTo: 'a.example.net' }] },
  }
  for (const [what, change] of Object.entries(bad))
    assert.throws(() => connectTemplateOf({ ...base, ...change }), Error, what)
  assert.ok(connectTemplateOf({ ...base, crit: ['vnd.example.x', 'syncBlock'], syncBlock: true }).syncBlock)
})

test('reads a whole folder, and reports errors by file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-connect-'))
  try {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(base))
    writeFileSync(join(folder, 'b.json'), JSON.stringify({ ...base, serviceId: 'SITE' }))
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ ...base, serviceId: 'other', syncRedirectDomain: '*' }))
    writeFileSync(join(folder, 'd.json'), '{')
    const { templates, faults } = readConnectTemplates(folder)
    assert.deepEqual([...templates.keys()], [templateId('example.net', 'Site')])
    assert.deepEqual(
      faults.map((fault) => fault.slice(0, 31)),
      ['the template b.json is ignored:', 'the template c.json is ignored:', 'the template d.json is ignored:'],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.equal(readConnectTemplates(undefined).templates.size, 0)
})

test('ids of different providers and services never collide', () => {
  assert.notEqual(templateId('a.b', 'c'), templateId('a', 'b.c'))
})

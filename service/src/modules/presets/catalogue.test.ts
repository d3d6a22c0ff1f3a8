import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPresets } from './catalogue.ts'
import { presetToWire } from './preset.ts'

const template = {
  providerId: 'Example.net',
  providerName: 'Example',
  serviceId: 'site',
  serviceName: 'Example site',
  records: [{ type: 'CNAME', host: 'www', pointsTo: '%site%.example.net', ttl: 600 }],
}

/** Reads the presets with a folder that holds these files. */
function withFolder(files: Readonly<Record<string, unknown>>): ReturnType<typeof readPresets> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-presets-'))
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    mkdirSync(join(folder, 'folder.json'))
    return readPresets(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('without a folder, the built-in templates are available, ordered by id', () => {
  const { presets, faults } = readPresets()
  assert.deepEqual(faults, [])
  assert.deepEqual([...presets.keys()], [...presets.keys()].toSorted())
  for (const id of ['google.com.workspace', 'github.com.pages', 'zonewright.no-mail', 'letsencrypt.org.caa'])
    assert.ok(presets.has(id), id)
})

test('templates in the folder are added to the built-in presets', () => {
  const { presets } = withFolder({ 'any name.json': template, 'readme.txt': 'no template' })
  assert.equal(presets.size, readPresets().presets.size + 1)
  const preset = presets.get('example.net.site')
  assert.ok(preset)
  assert.deepEqual(presetToWire(preset), {
    id: 'example.net.site',
    provider: 'Example.net',
    service: 'site',
    title: 'Example site',
    description: '',
    parameters: [
      { name: 'site', label: 'site', example: '', required: true },
      { name: 'host', label: 'Subdomain to set up, instead of the domain itself', example: 'shop', required: false },
    ],
    records: [{ name: 'www', type: 'CNAME', ttl: 600, record: '%site%.example.net.', group: null }],
  })
})

test('a template in the folder replaces the built-in one with the same id', () => {
  const { presets, faults } = withFolder({ 'a.json': { ...template, providerId: 'netlify.com', serviceId: 'WEBSITE' } })
  assert.equal(presets.get('netlify.com.website')?.template.serviceName, 'Example site')
  assert.equal(presets.size, readPresets().presets.size)
  assert.equal(faults.length, 1, 'the folder that is named like a template')
})

test('an invalid template is reported on one line and left out; the others are loaded', () => {
  const record = (more: object) => ({
    ...template,
    serviceId: 'x',
    records: [{ type: 'A', host: '@', ttl: 60, ...more }],
  })
  const { presets, faults } = withFolder({
    'address.json': record({ pointsTo: '192.0.2.256' }),
    'all.json': record({ type: 'SPFM', spfRules: 'a -all' }),
    'apex.json': record({ type: 'CNAME', pointsTo: 'example.net' }),
    'brackets.json': '{',
    'example.json': {
      ...record({ type: 'MX', pointsTo: '%host-name%', priority: 1 }),
      variableDescription: 'host-name: Host, e.g. 192.0.2.1',
    },
    'good.json': template,
    'inner.json': {
      ...record({ pointsTo: '192.0.2.1' }),
      records: [...template.records, { type: 'TXT', host: 'www', data: 'x' }],
      variableDescription: 'site: Site, e.g. x',
    },
    'second.json': template,
    'type.json': record({ type: 'REDIR301', target: 'https://example.net/' }),
  })
  assert.ok(presets.has('example.net.site'))
  assert.ok(!presets.has('example.net.x'))
  const expected = [
    /^the preset address\.json is ignored: .*192\.0\.2\.256/,
    /^the preset all\.json is ignored: -all would apply/,
    /^the preset apex\.json is ignored: A zone cannot have a CNAME at its own name/,
    /^the preset brackets\.json is ignored: /,
    /^the preset example\.json is ignored: .*192\.0\.2\.1\.` is an address/,
    /^the preset folder\.json is ignored: EISDIR/,
    /^the preset inner\.json is ignored: www\.example\.com has TXT records\. A CNAME must be the only/,
    /^the preset second\.json is ignored: another file has the id example\.net\.site$/,
    /^the preset type\.json is ignored: records\.0\.type: the type must be A,/,
  ]
  assert.equal(faults.length, expected.length, faults.join('\n'))
  for (const [i, pattern] of expected.entries()) {
    assert.match(faults[i] ?? '', pattern)
    assert.ok(!faults[i]?.includes('\n'))
  }
})

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { groupRecords, parseName, parseZoneFile, writeZoneFile } from '@zonewright/dns'
import { worldForTests } from '../world/index.ts'

const rootZone = fileURLToPath(new URL('../../../shared/data/zones/root.zone', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zonewright-conformance-'))
const world = await worldForTests()
const { api, facts } = world

test('the export of a zone of several hundred real records loads in named-checkzone, kzonecheck and nsd-checkzone', async () => {
  const imported = await api.call<{ diff: { changes: unknown[] } }>(
    'POST',
    `/zones/${facts.zone.name}/import`,
    `${delegations(900)}${others}`,
  )
  assert.equal(imported.status, 200, JSON.stringify(imported.body))
  assert.ok(imported.body.diff.changes.length > 100)
  const exported = await api.call<string>('GET', `/zones/${facts.zone.name}/export`)
  const file = join(folder, 'export.zone')
  writeFileSync(file, exported.body)
  // Does not look the targets up, because they are real names in zones of others.
  const said = execFileSync('named-checkzone', ['-i', 'none', facts.zone.name, file], { encoding: 'utf8' })
  assert.match(said, /^OK$/m)
  for (const [program, ...args] of [
    ['kzonecheck', '-o', facts.zone.name, file],
    ['nsd-checkzone', facts.zone.name, file],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    assert.equal(status, 0, `${program}: ${stdout}${stderr}`)
  }
})

test('exported owner names with any bytes load in named-checkzone, kzonecheck and nsd-checkzone', () => {
  const origin = parseName('example.com.')
  const escaped = Array.from({ length: 256 }, (_, byte) => `\\${String(byte).padStart(3, '0')}`)
  const owners = [
    ...escaped,
    ...escaped.map((byte) => `x${byte}y`),
    ...escaped.map((byte) => `${byte}.a`),
    '\\#old',
    '\\/\\/x',
  ]
  const lines = owners.map((owner) => `${owner} 300 A 192.0.2.1\n`).join('')
  const text = `@ 300 SOA ns.example.net. host.example.net. 1 2 3 4 5\n@ 300 NS ns.example.net.\n${lines}`
  const { records, faults } = parseZoneFile(text, { origin })
  assert.deepEqual(faults, [])
  const different = new Map(records.map((record) => [`${record.name} ${record.type}`, record]))
  const file = join(folder, 'owners.zone')
  writeFileSync(file, writeZoneFile(origin, groupRecords([...different.values()])))
  for (const [program, ...args] of [
    ['named-checkzone', '-i', 'none', '-k', 'ignore', 'example.com', file],
    ['kzonecheck', '-o', 'example.com', file],
    ['nsd-checkzone', 'example.com', file],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    assert.equal(status, 0, `${program}: ${stdout}${stderr}`)
  }
})

test('the signed root zone loads in named-checkzone after the library has read and written it', () => {
  const { records, faults } = parseZoneFile(rootText(), { origin: parseName('.') })
  assert.deepEqual(faults, [])
  const file = join(folder, 'root.zone')
  writeFileSync(file, writeZoneFile(parseName('.'), groupRecords(records)))
  assert.match(
    execFileSync('named-checkzone', ['-i', 'none', '-k', 'ignore', '.', file], { encoding: 'utf8' }),
    /^OK$/m,
  )
})

test('kdig transfers the zone from the hidden primary with the key, and is refused without it', () => {
  const [host = '', port = ''] = (world.env['PRIMARY_LISTEN'] ?? '').split(':')
  const key = readFileSync(join(world.dataDir, 'tsig.key'), 'utf8').trim()
  // kdig exits with 1 on a refusal, which is one of the two expected answers.
  const ask = (...more: string[]): string => {
    const { stdout, stderr } = spawnSync('kdig', [`@${host}`, '-p', port, ...more, facts.zone.name, 'AXFR'], {
      encoding: 'utf8',
    })
    return stdout + stderr
  }
  const signed = ask('-y', key)
  assert.ok(signed.split('\n').filter((line) => /\sIN\sNS\s/.test(line)).length > 100)
  assert.match(ask(), /REFUSED/)
})

test('dig reports no problem with an answer of either nameserver', async () => {
  const path = `/zones/${facts.zone.name}/rrsets/dig/AAAA`
  const { body } = await api.call('PUT', path, { records: ['2001:db8::1'] }, { prefer: 'wait=20' })
  assert.equal(body['replicated'], true)
  for (const { address } of facts.nameservers) {
    const [host = '', port = ''] = address.split(':')
    for (const transport of ['+notcp', '+tcp']) {
      const said = execFileSync(
        'dig',
        [`@${host}`, '-p', port, transport, '+norecurse', `dig.${facts.zone.name}`, 'AAAA'],
        {
          encoding: 'utf8',
        },
      )
      assert.match(said, /status: NOERROR/)
      // The hexadecimal digits of a cookie may contain one of the words.
      const remarks = said.replace(/COOKIE: [0-9a-f]+/, 'COOKIE:')
      assert.match(remarks, /COOKIE: \(good\)/)
      assert.doesNotMatch(remarks, /WARNING|malformed|bad/i)
    }
  }
})

/** Other records that a zone may have, and that servers check. */
const others = String.raw`
alias 60 IN CNAME x.alias.example.net.
moved 60 IN DNAME example.net.
moved 60 IN TXT "a \"quoted\" \\ word" "and \233 another"
* 60 IN A 192.0.2.1
_sip._tcp 60 IN SRV 1 2 5060 sip.example.net.
web 60 IN HTTPS 1 . alpn="h2,h3" ipv4hint="192.0.2.1"
odd\.name 60 IN CAA 0 issue "ca.example.net; account=1"
`

/** Delegations of the real root zone, as records below a zone of ours. */
function delegations(count: number): string {
  const lines = rootText()
    .split('\n')
    .map((line) => /^([a-z0-9-]+)\.\s+(\d+)\s+IN\s+(NS|DS)\s+(.+)$/.exec(line))
    .filter((match) => match !== null)
    .slice(0, count)
  return lines.map(([, name, ttl, type, data]) => `${name} ${ttl} IN ${type} ${data}\n`).join('')
}

function rootText(): string {
  if (!existsSync(rootZone))
    throw new Error('The data set ../shared/data/zones/root.zone is missing: conformance needs it.')
  return readFileSync(rootZone, 'utf8')
}

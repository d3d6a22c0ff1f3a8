// Debian's kea-dhcp-ddns writes the names of DHCP clients to a running installation, with the configuration of its page. It gets its requests in the
// same form as from kea-dhcp4 and kea-dhcp6.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../../tools/local/addresses.ts'
import { eventually, worldForTests } from '../world/index.ts'
import { stopped } from './peers/peer.ts'
import { tsigKey } from './peers/tsig-key.ts'

const world = await worldForTests()
const { facts, api } = world
const zone = 'dhcp.example.test'
const reverse = '2.0.192.in-addr.arpa'
const reverse6 = '8.b.d.0.1.0.0.2.ip6.arpa'
for (const name of [zone, reverse, reverse6]) await world.admin('zone', 'add', facts.account.email, name)
const key = await tsigKey(world, [zone, reverse, reverse6], ['records:read', 'records:write'])

const folder = mkdtempSync(join(tmpdir(), 'zonewright-kea-'))
after(() => rmSync(folder, { recursive: true }))
const port = await freePort()
const settings = JSON.parse(await key.configuration('kea')) as { DhcpDdns: { port: number } }
// The only change: another port of this machine, where it waits for requests.
settings.DhcpDdns.port = port
const file = join(folder, 'kea-dhcp-ddns.conf')
writeFileSync(file, JSON.stringify(settings), { mode: 0o600 })
const kea = spawn('kea-dhcp-ddns', ['-d', '-c', file], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, KEA_PIDFILE_DIR: folder, KEA_LOCKFILE_DIR: folder },
})
const killed = () => kea.kill('SIGKILL')
process.once('exit', killed)
kea.once('exit', () => process.off('exit', killed))
after(() => stopped(kea))
let said = ''
for (const stream of [kea.stdout, kea.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
await eventually('kea-dhcp-ddns waits for requests', async () => {
  if (kea.exitCode !== null) throw new Error(`kea-dhcp-ddns ended\n${said}`)
  return said.includes('DHCP_DDNS_STARTED')
})

const socket = createSocket('udp4')
after(() => socket.close())

/** A DHCP client, whose names are identified by the digest of its identifier and its name (RFC 4701 §3.5). */
function dhcidOf(client: string, fqdn: string): Buffer {
  const labels = fqdn.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  const digest = createHash('sha256').update(client)
  return Buffer.concat([Buffer.from([0, 1, 1]), digest.update(Buffer.concat([...labels, Buffer.from([0])])).digest()])
}

/**
 * Requests a change of a client's records, and resolves once it was carried out. The request is that of Kea 2.2,
 * src/lib/dhcp_ddns/ncr_msg.cc: JSON after its length.
 *
 * @returns whether it succeeded
 */
async function ask(kind: 'add' | 'remove', client: string, host: string, address: string): Promise<boolean> {
  const fqdn = `${host}.${zone}`
  const request = {
    'change-type': kind === 'add' ? 0 : 1,
    'forward-change': true,
    'reverse-change': true,
    fqdn: `${fqdn}.`,
    'ip-address': address,
    dhcid: dhcidOf(client, fqdn).toString('hex').toUpperCase(),
    'lease-expires-on': '20301231235959',
    'lease-length': 3600,
    'use-conflict-resolution': true,
  }
  const text = Buffer.from(JSON.stringify(request))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  const from = said.length
  socket.send(Buffer.concat([length, text]), port, '127.0.0.1')
  const outcome = /DHCP_DDNS_(ADD|REMOVE)_(SUCCEEDED|FAILED)/
  return await eventually(
    () => `kea-dhcp-ddns is done with ${JSON.stringify(request)}\n${said.slice(from)}`,
    async () => {
      const [, , how] = outcome.exec(said.slice(from)) ?? []
      return how === undefined ? undefined : { isDone: how === 'SUCCEEDED' }
    },
  ).then(({ isDone }) => isDone)
}

const records = async (name: string, type: string, of = zone): Promise<string[]> =>
  (await api.call<{ records?: string[] }>('GET', `/zones/${of}/rrsets/${name}./${type}`)).body.records ?? []

const pointer = `9.${reverse}`
const pointer6 = `9.${'0.'.repeat(23)}${reverse6}`

test('kea-dhcp-ddns adds the records of a client in both directions, and removes them', async () => {
  const name = `laptop.${zone}`
  assert.ok(await ask('add', 'laptop', 'laptop', '192.0.2.9'), said)
  assert.deepEqual(await records(name, 'A'), ['192.0.2.9'])
  assert.deepEqual(await records(name, 'DHCID'), [dhcidOf('laptop', name).toString('base64')])
  assert.deepEqual(await records(pointer, 'PTR', reverse), [`${name}.`])
  assert.deepEqual(await records(pointer, 'DHCID', reverse), [dhcidOf('laptop', name).toString('base64')])
  const { body } = await api.call<{ data: { source: string }[] }>('GET', `/zones/${zone}/versions?limit=1`)
  assert.equal(body.data[0]?.source, 'rfc2136')

  assert.ok(await ask('remove', 'laptop', 'laptop', '192.0.2.9'), said)
  for (const [type, of, at] of [
    ['A', zone, name],
    ['DHCID', zone, name],
    ['PTR', reverse, pointer],
    ['DHCID', reverse, pointer],
  ] as const)
    assert.deepEqual(await records(at, type, of), [], `${at} ${type}`)
})

test('a client has its IPv4 and its IPv6 address at one name, and each is removed separately', async () => {
  const name = `phone.${zone}`
  assert.ok(await ask('add', 'phone', 'phone', '192.0.2.9'), said)
  assert.ok(await ask('add', 'phone', 'phone', '2001:db8::9'), said)
  assert.deepEqual(await records(name, 'A'), ['192.0.2.9'])
  assert.deepEqual(await records(name, 'AAAA'), ['2001:db8::9'])
  assert.deepEqual(await records(pointer6, 'PTR', reverse6), [`${name}.`])
  // Kea 2.2 (src/bin/d2/nc_remove.cc) expects the name to have no other address, and stops there: it leaves the PTR record.
  assert.equal(await ask('remove', 'phone', 'phone', '192.0.2.9'), false)
  assert.deepEqual(await records(name, 'A'), [])
  assert.deepEqual(await records(name, 'AAAA'), ['2001:db8::9'])
  assert.deepEqual(await records(name, 'DHCID'), [dhcidOf('phone', name).toString('base64')])
  assert.deepEqual(await records(pointer, 'PTR', reverse), [`${name}.`])
  assert.ok(await ask('remove', 'phone', 'phone', '2001:db8::9'), said)
  assert.deepEqual([await records(name, 'AAAA'), await records(name, 'DHCID')], [[], []])
  assert.deepEqual(await records(pointer6, 'PTR', reverse6), [])
})

test('a client with a new address keeps its name, and another client cannot take it', async () => {
  const name = `printer.${zone}`
  assert.ok(await ask('add', 'printer', 'printer', '192.0.2.20'), said)
  assert.ok(await ask('add', 'printer', 'printer', '192.0.2.21'), said)
  assert.deepEqual(await records(name, 'A'), ['192.0.2.21'])
  assert.equal(await ask('add', 'intruder', 'printer', '192.0.2.66'), false)
  assert.deepEqual(await records(name, 'A'), ['192.0.2.21'])
  assert.deepEqual(await records(`66.${reverse}`, 'PTR', reverse), [])
})

test('a client cannot take a name that a person has set', async () => {
  await api.put(zone, 'server', 'A', ['192.0.2.1'])
  assert.equal(await ask('add', 'laptop', 'server', '192.0.2.30'), false)
  assert.deepEqual(await records(`server.${zone}`, 'A'), ['192.0.2.1'])
  assert.deepEqual(await records(`server.${zone}`, 'DHCID'), [])
})

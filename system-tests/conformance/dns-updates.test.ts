// Third-party clients at the DNS door of a running installation: BIND's nsupdate and dig, and Knot's knsupdate and kdig.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { facts, api } = world
const zone = facts.zone.name
const { address, tsig } = facts.dns_door
const [host = '', port = ''] = address.split(':')
const folder = mkdtempSync(join(tmpdir(), 'zonewright-updates-'))
after(() => rmSync(folder, { recursive: true }))

/** The key in the format of the configuration for nsupdate, with its secret. */
const keyFile = join(folder, 'tsig.key')
writeFileSync(keyFile, `key "${tsig.name}" {\n  algorithm ${tsig.algorithm};\n  secret "${tsig.secret}";\n};\n`, {
  mode: 0o600,
})

/** Runs a client with these lines, and returns its exit code and what it printed. */
async function send(program: string, args: readonly string[], lines: readonly string[]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  child.stdin.end(`${[`server ${host} ${port}`, `zone ${zone}`, ...lines, 'send', ''].join('\n')}`)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

const dig = async (...args: string[]): Promise<string[]> => {
  const asked = [`@${host}`, '-p', port, '-k', keyFile, '+short', ...args]
  const { stdout } = await promisify(execFile)('dig', asked)
  return stdout.split('\n').filter((line) => line !== '')
}
const records = async (name: string, type: string): Promise<string[]> =>
  (await api.call<{ records?: string[] }>('GET', `/zones/${zone}/rrsets/${name}/${type}`)).body.records ?? []

for (const [program, transport] of [
  ['nsupdate', []],
  ['nsupdate', ['-v']],
  ['knsupdate', []],
  ['knsupdate', ['-v']],
] as const) {
  const by = `${program}${transport.join('')}`
  test(`${by} adds, replaces and removes records, and the nameservers serve them`, async () => {
    const name = by.replace('-', '')
    // Knot uses another file format.
    const key = program === 'nsupdate' ? ['-k', keyFile] : ['-y', `${tsig.algorithm}:${tsig.name}:${tsig.secret}`]
    const update = (...lines: string[]) => send(program, [...transport, ...key], lines)
    assert.deepEqual(await update(`update add ${name}.${zone}. 300 A 192.0.2.1`), { code: 0, said: '' })
    assert.deepEqual(await records(name, 'A'), ['192.0.2.1'])
    const replaced = await update(
      `prereq yxrrset ${name}.${zone}. A`,
      `update delete ${name}.${zone}. A`,
      `update add ${name}.${zone}. 300 A 192.0.2.2`,
      `update add ${name}.${zone}. 300 TXT "a text"`,
    )
    assert.deepEqual(replaced, { code: 0, said: '' })
    assert.deepEqual(await records(name, 'A'), ['192.0.2.2'])
    assert.deepEqual(await dig(`${name}.${zone}`, 'TXT'), ['"a text"'])
    const refused = await update(`prereq nxdomain ${name}.${zone}.`, `update add ${name}.${zone}. 300 A 192.0.2.3`)
    assert.match(refused.said, /YXDOMAIN/)
    assert.deepEqual(await update(`update delete ${name}.${zone}.`), { code: 0, said: '' })
    assert.deepEqual([await records(name, 'A'), await records(name, 'TXT')], [[], []])
  })
}

test('sandbox.json has the address of the door and a TSIG key, and only its owner can read it', () => {
  const file = join(world.dataDir, 'sandbox.json')
  const { dns_door: door } = JSON.parse(readFileSync(file, 'utf8')) as { dns_door: typeof facts.dns_door }
  assert.deepEqual(door, facts.dns_door)
  assert.match(door.address, /^127\.0\.0\.1:\d+$/)
  assert.match(door.tsig.name, /^key-[0-9a-f]+$/)
  assert.deepEqual([door.tsig.algorithm, Buffer.from(door.tsig.secret, 'base64').length], ['hmac-sha256', 32])
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('nsupdate gets BADKEY for an unknown key and BADSIG for a wrong secret', async () => {
  const add = [`update add wrong.${zone}. 300 A 192.0.2.1`]
  const of = (name: string, secret: string): string => `${tsig.algorithm}:${name}:${secret}`
  const unknown = await send('nsupdate', ['-y', of('key-00000000', tsig.secret)], add)
  assert.match(unknown.said, /update failed: NOTAUTH\(BADKEY\)/)
  const wrong = await send('nsupdate', ['-y', of(tsig.name, Buffer.alloc(32).toString('base64'))], add)
  assert.match(wrong.said, /update failed: NOTAUTH\(BADSIG\)/)
  const md5 = await send('nsupdate', ['-y', `hmac-md5:${tsig.name}:${tsig.secret}`], add)
  assert.match(md5.said, /update failed: NOTAUTH\(BADKEY\)/)
  assert.deepEqual(await records('wrong', 'A'), [])
})

test('nsupdate finds the zone of a name automatically', async () => {
  const child = spawn('nsupdate', ['-k', keyFile], { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin.end(`server ${host} ${port}\nupdate add found.${zone}. 300 A 192.0.2.1\nsend\n`)
  assert.deepEqual(await once(child, 'close'), [0, null])
  assert.deepEqual(await records('found', 'A'), ['192.0.2.1'])
})

test('dig transfers the zone with the key, and is refused without it', async () => {
  const lines = await dig(zone, 'AXFR')
  assert.ok(lines.length > 3, lines.join('\n'))
  const { stdout } = await promisify(execFile)('dig', [`@${host}`, '-p', port, zone, 'AXFR'])
  assert.match(stdout, /Transfer failed/)
})

test('dig shows why a query is refused (RFC 8914)', async () => {
  const { stdout } = await promisify(execFile)('dig', [`@${host}`, '-p', port, `www.${zone}`, 'A'])
  assert.match(stdout, /status: REFUSED/)
  assert.match(stdout, /EDE: 18 \(Prohibited\): \(Sign queries with a TSIG key\.\)/)
})

// Plants faults in a DNS door, and checks what the doctor reports.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { composeDoor } from '#compose/dns-door.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { openDatabase, sql, Wake } from '#platform/postgres/index.ts'
import { SecretBox, TsigBox, tsigSealingKey } from '#platform/secrets.ts'
import { signingKey, startTestDoor } from '#testing/dns-door/test-door.ts'
import { connectWithinMs } from '#testing/platform/test-database.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi } from '#testing/test-api.ts'
import { doorFindings } from './door-findings.ts'

const api = await startTestApi()
const { parts } = api
const door = await startTestDoor(api)
const owner = await api.account('owner@example.net')

type Address = typeof door.address

/** The doctor's findings with their levels, and `AT` for the address. */
async function said(at: Address, secrets = parts.secrets): Promise<string[]> {
  const configuration = { doorAddress: at }
  const findings = await doorFindings({ configuration, database: api.database, secrets })
  return findings.map(({ level, says }) => `${level}: ${says.replace(`${at.host}:${at.port}`, 'AT')}`)
}

/** A port of this machine without a listener. */
async function nowhere(): Promise<Address> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(resolve))
  return { host: '127.0.0.1', port }
}

/** Starts another door with the given faults. */
async function doorWith(options: Partial<Parameters<typeof composeDoor>[0]> & { box?: TsigBox }): Promise<Address> {
  const { box, ...wrong } = options
  const listen = { host: '127.0.0.1', port: 0 }
  const other = await composeDoor(
    { ...parts, ...wrong, metrics: createMetrics() },
    { listen, tls: undefined, ...(box && { secrets: box }) },
  )
  after(() => other.stop())
  return other.address
}

test('while no API key has a TSIG secret, a door may be missing', async () => {
  assert.deepEqual(await said(door.address), ['ok: The DNS door at AT responds.'])
  assert.deepEqual(await said(await nowhere()), ['ok: No DNS door responds at AT, and no API key has a TSIG secret.'])
})

test('reports a missing door while API keys have TSIG secrets, except expired ones', async () => {
  const away = await nowhere()
  const first = await signingKey(api, owner)
  assert.deepEqual(await said(door.address), [
    'ok: The DNS door at AT responds, and checks the signatures of API keys.',
  ])
  assert.deepEqual(await said(away), ['fault: The DNS door at AT does not respond, and one API key has a TSIG secret.'])
  await sql`update api_keys set expires_at = app_now() - interval '1 second' where id = ${first.id}`.execute(
    api.database.db,
  )
  assert.deepEqual(await said(away), ['ok: No DNS door responds at AT, and no API key has a TSIG secret.'])
  for (let i = 0; i < 2; i++) await signingKey(api, owner)
  assert.deepEqual(await said(away), ['fault: The DNS door at AT does not respond, and 2 API keys have TSIG secrets.'])
})

test('checking a door does not change the key', async () => {
  await said(door.address)
  const { rows } = await sql`
    select from api_keys where last_used_at is not null union all select from update_answers`.execute(api.database.db)
  assert.deepEqual(rows, [])
})

test('a door that responds only over TCP, or only over UDP, is reported', async () => {
  const { host, port } = door.address
  const tcp = await tcpProxy(`postgres://${host}:${port}`)
  assert.deepEqual(await said({ host, port: Number(new URL(tcp.url).port) }), [
    'fault: The DNS door at AT responds over TCP but not over UDP.',
  ])
  await tcp.close()
  const relay = createSocket('udp4').bind(0, host)
  await once(relay, 'listening')
  relay.on('message', (wire, from) => {
    const inner = createSocket('udp4')
    inner.on('message', (answer) => relay.send(answer, from.port, from.address, () => inner.close()))
    inner.send(wire, port, host)
  })
  assert.deepEqual(await said({ host, port: (relay.address() as AddressInfo).port }), [
    'fault: The DNS door at AT responds over UDP but not over TCP.',
  ])
  relay.close()
})

test('reports a door with a different key than the installation, and one with a different database', async () => {
  const right = await doorWith({ box: new TsigBox(tsigSealingKey(parts.configuration.secretKey)) })
  assert.deepEqual(await said(right), ['ok: The DNS door at AT responds, and checks the signatures of API keys.'])
  const wrong = await doorWith({ box: new TsigBox(randomBytes(32)) })
  assert.deepEqual(await said(wrong), ['fault: The DNS door at AT cannot open the TSIG secrets of API keys.'])
  const box = { open: () => randomBytes(32).toString('base64') } as unknown as TsigBox
  assert.deepEqual(await said(await doorWith({ box })), [
    'fault: The DNS door at AT has another secret for an API key than the database.',
  ])
  const elsewhere = await startTestDoor(await startTestApi())
  assert.deepEqual(await said(elsewhere.address), [
    'fault: The DNS door at AT does not know an API key that has a TSIG secret.',
  ])
})

test('a doctor with another SECRET_KEY does not blame the door', async () => {
  assert.deepEqual(await said(door.address, new SecretBox(randomBytes(32))), ['ok: The DNS door at AT responds.'])
})

test('a door that cannot use the database is reported', async () => {
  const proxy = await tcpProxy(api.database.url)
  const wake = new Wake(proxy.url, parts.log)
  const database = openDatabase(proxy.url, { application: 'zonewright test door', wake, connectWithinMs })
  const at = await doorWith({ database })
  proxy.shut()
  assert.deepEqual(await said(at), ['fault: The DNS door at AT cannot use the database.'])
  proxy.open()
  assert.deepEqual(await said(at), ['ok: The DNS door at AT responds, and checks the signatures of API keys.'])
  await wake.close()
  await database.close()
  await proxy.close()
})

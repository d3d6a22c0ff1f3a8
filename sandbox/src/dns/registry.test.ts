import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  buildMessage,
  buildResponse,
  DnsClass,
  parseMessage,
  parseName,
  parseRdata,
  RrType,
  responseTo,
} from '@zonewright/dns'
import { startResolver } from './resolver.ts'
import { startRegistryDns } from './start-registry-dns.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-registry-'))
const unkept = {
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  tlds: ['test', 'com.test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [{ name: 'ns1.host.test', address: '192.0.2.1' }],
}
const options = { ...unkept, dataDir }
let registry = await startRegistryDns(options)
after(async () => {
  await registry.close()
  await rm(dataDir, { recursive: true })
})

async function put(path: string, body: unknown): Promise<number> {
  const answer = await fetch(`http://${registry.httpAddress}${path}`, { method: 'PUT', body: JSON.stringify(body) })
  return answer.status
}

/** Node's own resolver, which is independent of our code. */
function client(address: string): Resolver {
  const resolver = new Resolver({ timeout: 500, tries: 1 })
  resolver.setServers([address])
  return resolver
}

test('the zones have their own nameservers, and hosts have their addresses', async () => {
  const ask = client(registry.dnsAddress)
  assert.deepEqual(await ask.resolveNs('com.test'), ['ns.nic.test'])
  assert.deepEqual(await ask.resolve4('ns1.host.test'), ['192.0.2.1'])
  await assert.rejects(ask.resolve4('nobody.test'), { code: 'ENOTFOUND' })
})

test('delegations are set over HTTP, only below the zones, and survive a restart', async () => {
  assert.equal(await put('/delegations/shop.com.test', { nameservers: ['NS1.host.test.'] }), 200)
  assert.equal(await put('/delegations/shop.example', { nameservers: ['ns1.host.test'] }), 422)
  assert.equal(await put('/delegations/test', { nameservers: ['ns1.host.test'] }), 422)
  assert.equal(await put('/delegations/a.test', { nameservers: 'ns1.host.test' }), 422)
  await registry.close()
  registry = await startRegistryDns(options)
  assert.deepEqual(registry.zones.delegations(), { 'shop.com.test': ['ns1.host.test'] })
})

test('a domain that is its own nameserver is delegated with glue, which is removed with the delegation', () => {
  const { zones } = registry
  const look = () => {
    const found = zones.lookup(parseName('own.test.'), RrType.A)
    return [found?.kind, found?.additionals.map(({ name }) => name)]
  }
  zones.setGlue('own.test', [{ address: '192.0.2.5' }, { address: '2001:db8::5' }])
  zones.publish('own.test', { nameservers: ['own.test', 'ns1.host.test'], ds: [] })
  assert.deepEqual(look(), ['referral', ['ns1.host.test.', 'own.test.', 'own.test.']])
  zones.publish('own.test', { nameservers: ['ns1.host.test'], ds: [] })
  assert.deepEqual(look(), ['referral', ['ns1.host.test.']])
  zones.publish('own.test', undefined)
  zones.setGlue('own.test', [])
  assert.deepEqual(look(), ['nxdomain', []])
})

test('a behavior is validated, and applies the given number of times', async () => {
  assert.equal(await put('/behaviour', { sulk: true }), 422)
  assert.equal(await put('/behaviour?name=ns1.host.test', { rcode: 2, times: 1 }), 200)
  const ask = client(registry.dnsAddress)
  await assert.rejects(ask.resolve4('ns1.host.test'), { code: 'ESERVFAIL' })
  assert.deepEqual(await ask.resolve4('ns1.host.test'), ['192.0.2.1'])
})

test('the resolver follows a delegation to the nameserver, and caches the answer', async () => {
  const below = await startRegistryDns({
    ...unkept,
    tlds: ['kept.test'],
    hosts: [{ name: 'www.kept.test', address: '192.0.2.9' }],
  })
  after(() => below.close())
  registry.zones.delegate('kept.test', ['ns1.host.test'])
  const resolver = await startResolver({
    listen: '127.0.0.1:0',
    tops: { test: registry.dnsAddress },
    nameservers: { 'ns1.host.test': below.dnsAddress },
  })
  after(() => resolver.close())
  const ask = client(resolver.address)
  assert.deepEqual(await ask.resolve4('www.kept.test'), ['192.0.2.9'])
  below.behaviours.set({ silent: true })
  const [again] = await ask.resolve4('www.kept.test', { ttl: true })
  assert.ok(again !== undefined && again.ttl <= 5)
})

test('the resolver ignores garbage and answers to other queries until the right answer arrives', async (t) => {
  const upstream = createSocket('udp4')
  t.after(() => upstream.close())
  upstream.on('message', (wire, from) => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (question === undefined) return
    const say = (address: string, id: number): void => {
      const answers = [{ name: question.name, type: RrType.A, class: 1, ttl: 5, data: parseRdata(RrType.A, address) }]
      upstream.send(buildResponse(wire, { ...responseTo(query, { aa: true, answers }), id }), from.port, from.address)
    }
    upstream.send(new Uint8Array([1, 2, 3]), from.port, from.address)
    say('192.0.2.66', query.id ^ 1)
    upstream.send(wire, from.port, from.address)
    say('192.0.2.1', query.id)
  })
  upstream.bind(0, '127.0.0.1')
  await once(upstream, 'listening')
  const tops = { test: `127.0.0.1:${upstream.address().port}` }
  const resolver = await startResolver({ listen: '127.0.0.1:0', tops, nameservers: {} })
  t.after(() => resolver.close())
  assert.deepEqual(await client(resolver.address).resolve4('www.test'), ['192.0.2.1'])
})

test('a name whose server cannot be sent to gets SERVFAIL', async (t) => {
  const tops = { test: '255.255.255.255:53' }
  const resolver = await startResolver({ listen: '127.0.0.1:0', tops, nameservers: {} })
  t.after(() => resolver.close())
  await assert.rejects(client(resolver.address).resolve4('www.test'), { code: 'ESERVFAIL' })
})

test('an answer that does not fit into a datagram is queried and answered over TCP', async (t) => {
  const nameservers = Array.from({ length: 60 }, (_, i) => `ns${i}-${'x'.repeat(50)}.test`)
  const below = await startRegistryDns({
    ...unkept,
    tlds: ['large.test'],
    servers: nameservers.map((name) => ({ name, address: '127.0.0.1' })),
  })
  t.after(() => below.close())
  registry.zones.delegate('large.test', ['ns1.host.test'])
  const resolver = await startResolver({
    listen: '127.0.0.1:0',
    tops: { test: registry.dnsAddress },
    nameservers: { 'ns1.host.test': below.dnsAddress },
  })
  t.after(() => resolver.close())
  const found = await client(resolver.address).resolveNs('large.test')
  assert.deepEqual(found.toSorted(), nameservers.toSorted())
})

test('a client that accepts datagrams of 0 bytes gets an answer of up to 512 bytes', async (t) => {
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  const edns = { udpSize: 0, version: 0, dnssecOk: false, options: [] }
  const questions = [{ name: parseName('com.test.'), type: RrType.NS, class: DnsClass.IN }]
  const [host, port] = registry.dnsAddress.split(':')
  const answered = once(socket, 'message', { signal: AbortSignal.timeout(5_000) })
  socket.send(buildMessage({ id: 7, questions, edns }), Number(port), host)
  const [wire] = (await answered) as [Uint8Array]
  assert.deepEqual([parseMessage(wire).tc, parseMessage(wire).answers.length], [false, 1])
})

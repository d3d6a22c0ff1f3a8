import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, beforeEach, test } from 'node:test'
import { startTestDns } from '#testing/test-dns.ts'
import { createAddressResolver } from './index.ts'

const dns = await startTestDns()
after(() => dns.close())
const resolver = createAddressResolver({ servers: [dns.address] })
const limits = { timeoutMs: 2_000, mostSteps: 8 }
beforeEach(() => {
  dns.mode = 'good'
  dns.asked.length = 0
})

/** A chain of this many aliases to a host with an address. */
function chain(prefix: string, steps: number): string {
  for (let i = 0; i < steps; i++) dns.set(`${prefix}${i}.example.net`, 'CNAME', [`${prefix}${i + 1}.example.net.`])
  dns.set(`${prefix}${steps}.example.net`, 'A', ['93.184.216.34'])
  return `${prefix}0.example.net`
}

test('returns the addresses of both families and the lowest TTL of the alias chain', async () => {
  dns.set('both.example.net', 'A', ['93.184.216.34', '93.184.216.35'], { ttl: 300 })
  dns.set('both.example.net', 'AAAA', ['2606:2800:21f::1'], { ttl: 200 })
  const found = { a: ['93.184.216.34', '93.184.216.35'], aaaa: ['2606:2800:21f::1'], ttl: 200 }
  assert.deepEqual(await resolver.addresses('both.example.net', limits), found)
  dns.set('alias.example.net', 'CNAME', ['both.example.net.'], { ttl: 100 })
  assert.deepEqual(await resolver.addresses('alias.example.net', limits), { ...found, ttl: 100 })
})

test('a host with one family returns none of the other; a missing or invalid name is no_address', async () => {
  dns.set('v6.example.net', 'AAAA', ['2606:2800:21f::1'])
  assert.deepEqual(await resolver.addresses('v6.example.net', limits), { a: [], aaaa: ['2606:2800:21f::1'], ttl: 60 })
  for (const host of ['nowhere.example.net', `${'a.'.repeat(130)}example.net`])
    assert.equal(await resolver.addresses(host, limits), 'no_address', host)
})

test('follows at most eight aliases, and ends a loop there', async () => {
  assert.deepEqual(await resolver.addresses(chain('eight', 8), limits), { a: ['93.184.216.34'], aaaa: [], ttl: 60 })
  assert.equal(await resolver.addresses(chain('nine', 9), limits), 'too_many_steps')
  assert.equal(await resolver.addresses(chain('rest', 3), { ...limits, mostSteps: 2 }), 'too_many_steps')
  dns.set('loop1.example.net', 'CNAME', ['loop2.example.net.'])
  dns.set('loop2.example.net', 'CNAME', ['loop1.example.net.'])
  dns.set('self.example.net', 'CNAME', ['self.example.net.'])
  for (const host of ['loop1.example.net', 'self.example.net'])
    assert.equal(await resolver.addresses(host, limits), 'too_many_steps', host)
})

test('if a server sends only part of an alias chain, its last name is queried', async () => {
  dns.mode = 'one alias at a time'
  assert.deepEqual(await resolver.addresses(chain('parts', 3), limits), { a: ['93.184.216.34'], aaaa: [], ttl: 60 })
  assert.deepEqual(
    dns.asked.filter((asked) => asked.startsWith('udp A ')),
    [0, 1, 2, 3].map((i) => `udp A parts${i}.example.net`),
  )
  assert.equal(await resolver.addresses(chain('long', 9), limits), 'too_many_steps')
})

test('distinguishes a failing server from a silent one, and queries the next server', async () => {
  dns.set('host.example.net', 'A', ['93.184.216.34'])
  dns.mode = 'servfail'
  assert.equal(await resolver.addresses('host.example.net', limits), 'server_failure')
  dns.mode = 'silent'
  const startedMs = performance.now()
  assert.equal(await resolver.addresses('host.example.net', { ...limits, timeoutMs: 300 }), 'timeout')
  assert.ok(performance.now() - startedMs < 2_000)
  dns.mode = 'good'
  const both = createAddressResolver({ servers: [{ host: '127.0.0.1', port: 1 }, dns.address] })
  assert.deepEqual(await both.addresses('host.example.net', limits), { a: ['93.184.216.34'], aaaa: [], ttl: 60 })
})

test('fetches a hundred addresses over TCP if they do not fit into UDP', async () => {
  const many = Array.from({ length: 100 }, (_, i) => `93.184.216.${i}`)
  dns.set('many.example.net', 'A', many)
  dns.mode = 'cut'
  assert.deepEqual(await resolver.addresses('many.example.net', limits), { a: many, aaaa: [], ttl: 60 })
})

test('private, local, documentation and other special addresses are not public', () => {
  for (const address of [
    '10.0.0.1',
    '127.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '192.0.2.1',
    '::1',
    'fe80::1',
    'fd00::1',
  ])
    assert.equal(resolver.isPublic(address), false, address)
  for (const address of ['93.184.216.34', '2606:2800:21f::1']) assert.equal(resolver.isPublic(address), true, address)
})

test('queries a server with a closed port only a few times, and does not busy-loop', async () => {
  let sockets = 0
  const count = (): void => void sockets++
  subscribe('udp.socket', count)
  const closed = createAddressResolver({ servers: [{ host: '127.0.0.1', port: 9 }] })
  assert.equal(await closed.addresses('host.example.net', { ...limits, timeoutMs: 500 }), 'timeout')
  unsubscribe('udp.socket', count)
  assert.ok(sockets >= 2 && sockets <= 8, `${sockets} queries`)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startRegistryDns } from '../dns/start-registry-dns.ts'

const registry = await startRegistryDns({
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  tlds: ['test', 'com.test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [],
})
after(() => registry.close())
const rdap = `http://${registry.httpAddress}/rdap/`
registry.zones.delegate('shop.com.test', ['ns1.host.test'])

// biome-ignore lint/suspicious/noExplicitAny: RDAP's objects, as they come
const bodyOf = async (answer: Response): Promise<any> => answer.json()
const put = async (path: string, body: unknown): Promise<number> =>
  (await fetch(`${rdap}${path}`, { method: 'PUT', body: JSON.stringify(body) })).status

test('the bootstrap leads to the server, which finds domains in any letter case', async () => {
  const list = await bodyOf(await fetch(`${rdap}dns.json`))
  assert.deepEqual(list.services, [[['test', 'com.test'], [rdap]]])
  const answer = await fetch(`${rdap}domain/SHOP.com.test`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/rdap\+json/)
  const domain = await bodyOf(answer)
  assert.deepEqual([domain.objectClassName, domain.ldhName], ['domain', 'SHOP.COM.TEST'])
  assert.deepEqual(domain.nameservers, [{ objectClassName: 'nameserver', ldhName: 'NS1.HOST.TEST' }])
  assert.ok(domain.rdapConformance.includes('rdap_level_0'))
})

test('an unknown domain gets 404 and an unsupported query 400, each with an error body', async () => {
  for (const [path, status] of [
    ['domain/nobody.test', 404],
    ['ip/192.0.2.1', 400],
  ] as const) {
    const answer = await fetch(`${rdap}${path}`)
    assert.equal(answer.status, status)
    assert.equal((await bodyOf(answer)).errorCode, status)
  }
})

test('the registry’s data can be set to differ from its DNS; behaviors are validated', async () => {
  assert.equal(
    await put('registrations/shop.com.test', { nameservers: ['b.test'], expires_at: '2030-01-01T00:00:00Z' }),
    200,
  )
  assert.equal(await put('registrations/shop.com.test', { expires_at: 'soon' }), 422)
  const { events, nameservers } = await bodyOf(await fetch(`${rdap}domain/shop.com.test`))
  assert.equal(nameservers[0].ldhName, 'B.TEST')
  assert.ok(events.some((event: { eventDate: string }) => event.eventDate === '2030-01-01T00:00:00.000Z'))
  assert.equal(await put('behaviour', { sulk: true }), 422)
  assert.equal(await put('behaviour?name=shop.com.test', { status: 429, retryAfterS: 7, times: 1 }), 200)
  const busy = await fetch(`${rdap}domain/shop.com.test`)
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [429, '7'])
  assert.equal((await fetch(`${rdap}domain/shop.com.test`)).status, 200)
})

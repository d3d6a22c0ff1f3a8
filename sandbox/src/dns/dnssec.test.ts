import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  buildMessage,
  DnsClass,
  extendedErrorsOf,
  InfoCode,
  type Message,
  parseMessage,
  parseName,
  parseType,
  type Rrset,
  RrType,
  rdataToText,
  typeToText,
  validate,
} from '@zonewright/dns'
import { dnssecCrypto } from '@zonewright/dns/node'
import { ourEdns } from './answer-size.ts'
import type { DsRecord } from './registry-zones.ts'
import { startResolver } from './resolver.ts'
import { startRegistryDns } from './start-registry-dns.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-dnssec-'))
const base = {
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [{ name: 'ns1.host.test', address: '192.0.2.1' }],
}
const options = { ...base, tlds: ['test', 'com.test'], dataDir }
let registry = await startRegistryDns(options)
/** It represents a nameserver with signed zones, to which names below the registry are delegated. */
const below = await startRegistryDns({
  ...base,
  tlds: ['signed.test', 'plain.test', 'broken.com.test'],
  hosts: ['signed.test', 'plain.test', 'broken.com.test'].map((zone) => ({
    name: `www.${zone}`,
    address: '192.0.2.9',
  })),
})
after(async () => {
  await Promise.all([registry.close(), below.close()])
  await rm(dataDir, { recursive: true })
})

const dsOf = (zone: string): DsRecord[] =>
  below.zones
    .trustAnchors()
    .filter(({ name }) => name === `${zone}.`)
    .flatMap(({ data }) => data)
    .map((data) => rdataToText(RrType.DS, data).split(' '))
    .map(([keyTag, algorithm, digestType, digest = '']) => ({
      keyTag: Number(keyTag),
      algorithm: Number(algorithm),
      digestType: Number(digestType),
      digest,
    }))
const nameservers = ['ns1.host.test']
registry.zones.publish('signed.test', { nameservers, ds: dsOf('signed.test') })
registry.zones.publish('plain.test', { nameservers, ds: [] })
registry.zones.publish('broken.com.test', { nameservers, ds: dsOf('signed.test') })

const resolver = await startResolver({
  listen: '127.0.0.1:0',
  tops: { test: registry.dnsAddress, 'com.test': registry.dnsAddress },
  nameservers: { 'ns1.host.test': below.dnsAddress },
  anchors: registry.zones.trustAnchors(),
})
after(() => resolver.close())

async function ask(
  address: string,
  name: string,
  type: string,
  { dnssecOk = false, ad = false, cd = false } = {},
): Promise<Message> {
  const socket = createSocket('udp4')
  try {
    const [host, port] = address.split(':')
    const questions = [{ name: parseName(name), type: parseType(type), class: DnsClass.IN }]
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(10_000) })
    socket.send(
      buildMessage({ id: 1, rd: true, ad, cd, questions, edns: { ...ourEdns, dnssecOk } }),
      Number(port),
      host,
    )
    const [wire] = (await answered) as [Uint8Array]
    return parseMessage(wire)
  } finally {
    socket.close()
  }
}

const typesOf = (records: Message['answers']) => records.map(({ type }) => typeToText(type))

test('the resolver sets AD on secure answers to queries with AD or DO', async () => {
  for (const [name, type, isSecure] of [
    ['www.signed.test.', 'A', true],
    ['www.signed.test.', 'MX', true],
    ['nobody.signed.test.', 'A', true],
    ['signed.test.', 'DS', true],
    ['com.test.', 'DS', true],
    ['com.test.', 'NS', true],
    ['nobody.test.', 'A', true],
    ['www.plain.test.', 'A', false],
    ['nobody.plain.test.', 'A', false],
    ['plain.test.', 'DS', true],
  ] as const) {
    const bare = await ask(resolver.address, name, type)
    assert.equal(bare.ad, false, name)
    assert.ok(bare.rcode === 0 || bare.rcode === 3)
    assert.equal((await ask(resolver.address, name, type, { ad: true })).ad, isSecure, `${name} ${type}`)
    const signed = await ask(resolver.address, name, type, { dnssecOk: true })
    assert.deepEqual([signed.ad, signed.edns?.dnssecOk], [isSecure, true], `${name} ${type}`)
  }
})

test('signatures and proofs are returned only with DO, or if they are queried', async () => {
  const signed = await ask(resolver.address, 'www.signed.test.', 'A', { dnssecOk: true })
  assert.deepEqual(typesOf(signed.answers), ['A', 'RRSIG'])
  const bare = await ask(resolver.address, 'www.signed.test.', 'A')
  assert.deepEqual(typesOf(bare.answers), ['A'])
  const denied = await ask(resolver.address, 'nobody.signed.test.', 'A', { dnssecOk: true })
  assert.deepEqual(new Set(typesOf(denied.authorities)), new Set(['SOA', 'NSEC', 'RRSIG']))
  assert.deepEqual(typesOf((await ask(resolver.address, 'nobody.signed.test.', 'A')).authorities), ['SOA'])
  assert.deepEqual(typesOf((await ask(resolver.address, 'signed.test.', 'NSEC')).answers), ['NSEC'])
})

test('a bogus answer becomes a SERVFAIL with the reason and no records, unless CD is set', async () => {
  const refused = await ask(resolver.address, 'www.broken.com.test.', 'A', { ad: true })
  assert.deepEqual([refused.rcode, refused.answers, refused.ad], [2, [], false])
  assert.deepEqual(extendedErrorsOf(refused.edns), [
    { infoCode: InfoCode.DNSKEY_MISSING, text: 'No DNSKEY record of broken.com.test. matches its DS records.' },
  ])
  const unchecked = await ask(resolver.address, 'www.broken.com.test.', 'A', { ad: true, cd: true })
  assert.deepEqual([unchecked.rcode, typesOf(unchecked.answers), unchecked.ad, unchecked.cd], [0, ['A'], false, true])
  registry.zones.publish('broken.com.test', { nameservers, ds: dsOf('broken.com.test') })
  assert.equal(
    (await ask(resolver.address, 'www.broken.com.test.', 'AAAA', { ad: true })).rcode,
    2,
    'as long as the DS is kept',
  )
})

test('the registry answers for its zones with signatures, without AD, and with DS records from the parent side', async () => {
  const ds = await ask(registry.dnsAddress, 'com.test.', 'DS', { dnssecOk: true, ad: true, cd: true })
  assert.deepEqual([typesOf(ds.answers), ds.aa, ds.ad, ds.cd], [['DS', 'RRSIG'], true, false, false])
  assert.deepEqual(typesOf((await ask(registry.dnsAddress, 'com.test.', 'DS')).answers), ['DS'])
  const referral = await ask(registry.dnsAddress, 'www.signed.test.', 'A', { dnssecOk: true })
  assert.deepEqual([typesOf(referral.authorities), referral.aa], [['NS', 'DS', 'RRSIG'], false])
  const unsigned = await ask(registry.dnsAddress, 'www.plain.test.', 'A', { dnssecOk: true })
  assert.deepEqual(typesOf(unsigned.authorities), ['NS', 'NSEC', 'RRSIG'])
})

async function statusAtRegistry(name: string, type: string, anchors: readonly Rrset[]): Promise<string> {
  const question = { name: parseName(name), type: parseType(type), class: DnsClass.IN }
  const from = (about: string, of: RrType) => ask(registry.dnsAddress, about, typeToText(of), { dnssecOk: true })
  const unixSeconds = Math.floor(Date.now() / 1_000)
  const response = await from(name, question.type)
  return (await validate(question, response, { anchors, ask: from, crypto: dnssecCrypto, unixSeconds })).status
}

test('the zones stay valid while domains are added and removed', async () => {
  const anchors = registry.zones.trustAnchors()
  assert.deepEqual(
    anchors.map(({ name }) => name),
    ['test.'],
  )
  const check = async () => {
    for (const [name, type] of [
      ['a.test.', 'DS'],
      ['b.test.', 'DS'],
      ['m.com.test.', 'DS'],
      ['nobody.test.', 'A'],
      ['zz.com.test.', 'A'],
      ['ns1.host.test.', 'A'],
      ['ns1.host.test.', 'AAAA'],
      ['com.test.', 'SOA'],
    ] as const)
      assert.equal(await statusAtRegistry(name, type, anchors), 'secure', `${name} ${type}`)
  }
  await check()
  registry.zones.publish('a.test', { nameservers, ds: dsOf('signed.test') })
  registry.zones.publish('m.com.test', { nameservers: ['ns.m.com.test'], ds: [] })
  registry.zones.setGlue('ns.m.com.test', [{ address: '192.0.2.7' }])
  await check()
  registry.zones.delegate('host.test', ['ns.elsewhere.test'])
  assert.equal(await statusAtRegistry('host.test.', 'DS', anchors), 'secure')
  registry.zones.delegate('host.test', [])
  registry.zones.publish('a.test', undefined)
  registry.zones.publish('m.com.test', undefined)
  await check()
})

test('the data folder has the trust anchor, for other validators', async () => {
  const [anchor] = registry.zones.trustAnchors()
  const text = rdataToText(RrType.DS, anchor?.data[0] ?? assert.fail())
  assert.equal(await readFile(join(dataDir, 'trust-anchor.ds'), 'utf8'), `test. 5 IN DS ${text}\n`)
})

test('the keys are the same after a restart', async () => {
  const before = registry.zones.trustAnchors()
  await registry.close()
  registry = await startRegistryDns(options)
  assert.deepEqual(registry.zones.trustAnchors(), before)
  assert.equal(await statusAtRegistry('com.test.', 'DS', before), 'secure')
})

test('answers without DO show a change at once, and NXDOMAIN for a removed name', async () => {
  const rcodeOf = async (name: string) => (await ask(registry.dnsAddress, name, 'A')).rcode
  assert.equal(await rcodeOf('goes.test.'), 3)
  registry.zones.publish('goes.test', { nameservers, ds: [] })
  assert.deepEqual(typesOf((await ask(registry.dnsAddress, 'goes.test.', 'A')).authorities), ['NS'])
  assert.equal(await statusAtRegistry('goes.test.', 'DS', registry.zones.trustAnchors()), 'secure')
  registry.zones.publish('goes.test', undefined)
  assert.equal(await rcodeOf('goes.test.'), 3)
  assert.deepEqual(typesOf((await ask(registry.dnsAddress, 'goes.test.', 'NSEC')).answers), [])
})

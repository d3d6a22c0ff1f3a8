// The requests of PowerDNS clients, in the form in which each client writes them. The comment before a test names the source that the form was
// read from, with its commit or version. Names of the clients' own structures are kept, also where they have no meaning here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi, type TestAnswer, testNameservers } from '#testing/test-api.ts'

const api = await startTestApi()
const account = await api.account('owner@example.net')
const key = await api.key(account)
await api.zone(account, 'example.com')

let zones = 0
async function freshZone(): Promise<string> {
  return (await api.zone(account, `zone${++zones}.example.com`)).name
}

interface Sent {
  readonly headers?: Record<string, string>
  readonly key?: string
}

/** A request as a client sends it: as JSON, unless specified otherwise. */
function send(method: string, path: string, body?: unknown, { headers = {}, key: secret = key }: Sent = {}) {
  return api.call(method, path, {
    prefix: '',
    headers: { 'x-api-key': secret, accept: 'application/json', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
}

const servers = '/api/v1/servers/localhost'

/** The contents of a record set, as a client finds them in the response for its zone. */
async function contents(zone: string, name: string, type: string): Promise<string[] | undefined> {
  const { body } = await send('GET', `${servers}/zones/${zone}.`)
  type Rrset = { name: string; type: string; records: { content: string }[] }
  const rrset = body.rrsets.find((each: Rrset) => each.name === name && each.type === type)
  return rrset?.records.map(({ content }: { content: string }) => content)
}

function expect({ status, body }: TestAnswer, wanted: number): void {
  assert.equal(status, wanted, JSON.stringify(body))
}

// kubernetes-sigs/external-dns 0491e6d, provider/pdns/pdns.go; ffledgling/pdns-go 2a3e896, zone.go, rr_set.go, record.go.
// It lists all zones, reads each zone that its domain filter selects, and sends the whole zone object back with its changes.
test('external-dns creates, updates and deletes addresses and the TXT records of its registry', async () => {
  const zone = await freshZone()
  const listed = (await send('GET', `${servers}/zones`)).body.find(({ name }: { name: string }) => name === `${zone}.`)
  for (const member of ['serial', 'notified_serial']) assert.ok(listed[member] < 2 ** 31, 'it reads an int32')
  expect(await send('GET', `${servers}/zones/${listed.id}`), 200)
  const patch = (rrsets: object[]) =>
    send('PATCH', `${servers}/zones/${listed.id}`, {
      ...{ id: listed.id, name: listed.name, url: listed.url, kind: listed.kind, serial: listed.serial },
      ...{ notified_serial: listed.notified_serial, rrsets },
    })
  const app = `app.${zone}.`
  const owner = '"heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/app"'
  const entries = (content: string) => [
    { name: app, type: 'A', ttl: 300, changetype: 'REPLACE', records: [{ content }] },
    { name: `a-${app}`, type: 'TXT', ttl: 300, changetype: 'REPLACE', records: [{ content: owner }] },
  ]
  expect(await patch(entries('192.0.2.1')), 204)
  expect(await patch(entries('192.0.2.2')), 204)
  assert.deepEqual(await contents(zone, app, 'A'), ['192.0.2.2'])
  assert.deepEqual(await contents(zone, `a-${app}`, 'TXT'), [owner])
  expect(await patch(entries('192.0.2.2').map(({ ttl: _, ...entry }) => ({ ...entry, changetype: 'DELETE' }))), 204)
  assert.equal(await contents(zone, app, 'A'), undefined)
})

// go-acme/lego 35c259e (v4), providers/dns/pdns/internal/client.go, types.go, pdns.go. The form of Debian's lego 4.9.1 is the same.
test('lego adds a challenge to existing ones and removes it again, with a key for challenges only', async () => {
  const zone = await freshZone()
  const { id } = await api.call('GET', `/zones/${zone}`, { key }).then(({ body }) => body)
  const acme = await api.key(account, { zones: [id], permissions: ['acme:dns01'] })
  const as = { key: acme }
  const name = `_acme-challenge.${zone}.`
  assert.deepEqual((await send('GET', '/api', undefined, as)).body, [{ url: '/api/v1', version: 1 }])
  const update = async (records: object[] | undefined, changetype: string, more: object) => {
    const { body } = await send('GET', `${servers}/zones/${zone}.`, undefined, as)
    assert.equal(body.kind, 'Master', 'otherwise it sends no notify')
    const set = { name, type: 'TXT', changetype, ...(records && { records }), ttl: 120, ...more }
    expect(await send('PATCH', body.url, { rrsets: [set] }, as), 204)
    const notified = await send('PUT', `${body.url}/notify`, '', as)
    expect(notified, 200)
    assert.equal(notified.body.error, undefined, 'it takes a member "error" for a failure')
  }
  const record = (value: string) => ({ content: `"${value}"`, disabled: false, name, type: 'TXT', ttl: 120 })
  await update([record('one')], 'REPLACE', { kind: 'Master' })
  await update([{ content: '"one"', disabled: false, name: '', type: '' }, record('two')], 'REPLACE', {
    kind: 'Master',
  })
  assert.deepEqual(await contents(zone, name, 'TXT'), ['"one"', '"two"'])
  await update([{ content: '"two"', disabled: false, name: '', type: '' }], 'REPLACE', { kind: '' })
  await update(undefined, 'DELETE', { kind: '' })
  assert.equal(await contents(zone, name, 'TXT'), undefined)
})

// acmesh-official/acme.sh 133f0a8, dnsapi/dns_pdns.sh. OPNsense's plug-in os-acme-client runs this script (opnsense/plugins,
// security/acme-client, LeValidation/DnsPdns.php). Earlier versions list all zones, and send JSON as a form.
test('acme.sh finds the zone of a name and searches responses for its challenges', async () => {
  const zone = await freshZone()
  const { body: own } = await api.call('GET', `/zones/${zone}`, { key })
  const as = { key: await api.key(account, { zones: [own.id], permissions: ['acme:dns01'] }) }
  const full = `_acme-challenge.www.${zone}`
  const text = async (path: string): Promise<string> =>
    (await api.server.fastify.inject({ url: `${servers}${path}`, headers: { 'x-api-key': as.key } })).body
  const found: string[] = []
  for (let labels = full.split('.'); ; labels = labels.slice(1)) {
    const candidate = labels.join('.')
    if ((await text(`/zones?zone=${candidate}.`)).includes(`"name":"${candidate}."`)) found.push(candidate)
    if (candidate === '') break
  }
  assert.deepEqual(found, [zone])
  assert.ok((await text('/zones')).includes(`"name":"${zone}."`))
  const existing = async (): Promise<string[]> => {
    const [set = ''] = (await text(`/zones/${zone}.`)).match(new RegExp(`"name":"${full}[^\\]]*}`)) ?? []
    return [...set.matchAll(/content":"\\"([^\\]*)/g)].map(([, value = '']) => value)
  }
  const change = async (json: string, type: string) => {
    expect(await send('PATCH', `${servers}/zones/${zone}.`, json, { ...as, headers: { 'content-type': type } }), 204)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await send('PUT', `${servers}/zones/${zone}./notify`, '', { ...as, headers: form }), 200)
  }
  const set = (...values: string[]) =>
    `{"rrsets": [{"changetype": "REPLACE", "name": "${full}.", "type": "TXT", "ttl": 60, "records": [${values.map((value) => `{"content": "\\"${value}\\"", "disabled": false}`).join(', ')}]}]}`
  await change(set('first'), 'application/json')
  assert.deepEqual(await existing(), ['first'])
  await change(set('second', 'first'), 'application/x-www-form-urlencoded')
  assert.deepEqual(await existing(), ['first', 'second'])
  await change(`{"rrsets": [{"changetype": "DELETE", "name": "${full}.", "type": "TXT"}]}`, 'application/json')
  assert.deepEqual(await existing(), [])
})

// pan-net/terraform-provider-powerdns 02630e5, powerdns/client.go, resource_powerdns_zone.go, resource_powerdns_record.go.
test('the Terraform provider of pan-net creates a zone and records, and reads them back', async () => {
  expect(await send('GET', '/api/v1/servers'), 200)
  const name = `terraform${++zones}.example.com.`
  const nameservers = testNameservers.map((host) => `${host}.`)
  const zoneInfo = { id: '', name, url: '', kind: 'Native', dnsssec: false, serial: 0, nameservers }
  const created = await send('POST', `${servers}/zones`, { ...zoneInfo, soa_edit_api: '' })
  expect(created, 201)
  const read = await send('GET', `${servers}/zones/${created.body.id}`)
  assert.deepEqual([read.body.name, read.body.kind], [name, 'Native'])
  assert.deepEqual(await contents(name.slice(0, -1), name, 'NS'), nameservers)
  const www = `www.${name}`
  const records = [{ name: www, type: 'A', content: '192.0.2.1', ttl: 300, disabled: false, 'set-ptr': false }]
  const set = { name: www, type: 'A', changetype: 'REPLACE', ttl: 300, records }
  expect(await send('PATCH', `${servers}/zones/${name}`, { rrsets: [set] }), 204)
  assert.deepEqual(await contents(name.slice(0, -1), www, 'A'), ['192.0.2.1'])
  // `kind` changes, and all other members have zero values.
  const update = { id: '', name: '', url: '', kind: 'Master', dnsssec: false, serial: 0 }
  expect(await send('PUT', `${servers}/zones/${name}`, update), 204)
  assert.equal((await send('GET', `${servers}/zones/${name}`)).body.kind, 'Master')
  const gone = { name: www, type: 'A', changetype: 'DELETE', ttl: 0 }
  expect(await send('PATCH', `${servers}/zones/${name}`, { rrsets: [gone] }), 204)
  assert.equal(await contents(name.slice(0, -1), www, 'A'), undefined)
})

// The same, `ListRecords`: it decodes any response as a zone, whatever its status. JSON would look like a zone without records.
test('a refusal never looks like a zone without records to that provider', async () => {
  const zone = await freshZone()
  const outside = await api.key(account, { zones: [], permissions: ['records:read'] })
  for (const secret of ['svc_live_mistyped', outside, await api.key(account, { permissions: ['domains:read'] })]) {
    const { status, body } = await send('GET', `${servers}/zones/${zone}.`, undefined, { key: secret })
    assert.ok(status === 401 || status === 403)
    assert.throws(() => JSON.parse(body))
  }
})

// mmianl/terraform-provider-powerdns 02c0914, powerdns/client.go, resource_powerdns_zone.go, resource_powerdns_record_soa.go.
test('the Terraform provider of mmianl creates a zone without nameservers, and manages its SOA', async () => {
  expect(await send('GET', '/api/v1/servers'), 200)
  const name = `terraform${++zones}.example.com.`
  const zoneInfo = { id: '', name, url: '', kind: 'Native', dnssec: false, serial: 0, account: 'admin' }
  const created = await send('POST', `${servers}/zones`, zoneInfo)
  expect(created, 201)
  const read = (await send('GET', `${servers}/zones/${created.body.id}`)).body
  assert.deepEqual([read.name, read.kind, read.account, read.catalog], [name, 'Native', 'admin', ''])
  const update = { name, kind: 'Native', account: 'team-a', soa_edit_api: read.soa_edit_api }
  expect(await send('PUT', `${servers}/zones/${name}`, update), 204)
  const records = (await send('GET', `${servers}/zones/${name}?rrsets=true`)).body
  assert.equal(records.account, 'team-a')
  const soa = `${testNameservers[0]}. hostmaster.zonewright.test. 0 14400 3600 1209600 300`
  const record = { name, type: 'SOA', content: soa, ttl: 3600, disabled: false, 'set-ptr': false }
  const set = { name, type: 'SOA', changetype: 'REPLACE', ttl: 3600, records: [record] }
  expect(await send('PATCH', `${servers}/zones/${name}`, { rrsets: [set] }), 204)
  expect(
    await send('PATCH', `${servers}/zones/${name}`, { rrsets: [{ name, type: 'SOA', changetype: 'DELETE', ttl: 0 }] }),
    204,
  )
  const commented = {
    ...{ name: `www.${name}`, type: 'A', changetype: 'REPLACE', ttl: 60 },
    records: [{ ...record, type: 'A', content: '192.0.2.1' }],
  }
  expect(await send('PATCH', `${servers}/zones/${name}`, { rrsets: [{ ...commented, comments: [] }] }), 204)
  assert.deepEqual(await contents(name.slice(0, -1), `www.${name}`, 'A'), ['192.0.2.1'])
  // Its list of records accepts only 404 for a deleted zone.
  expect(await send('GET', `${servers}/zones/nowhere.example.?rrsets=true`), 404)
})

// octodns/octodns-powerdns e33349e, octodns_powerdns/__init__.py.
test('octoDNS reads the version and the zone, sends deletions first and creates a missing zone', async () => {
  const { version } = (await send('GET', servers)).body
  const [major = 0, minor = 0] = version.split('.').map(Number)
  assert.ok(major > 4 || (major === 4 && minor >= 5), 'it checks for 4.2 and 4.5')
  const name = `octodns${++zones}.example.com.`
  const missing = await send('GET', `${servers}/zones/${name}`)
  expect(missing, 404)
  const mods = [
    {
      name: `www.${name}`,
      type: 'A',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.1', disabled: false }],
    },
    {
      name,
      type: 'NS',
      ttl: 3600,
      changetype: 'REPLACE',
      records: testNameservers.map((host) => ({ content: `${host}.`, disabled: false })),
    },
  ]
  expect(await send('PATCH', `${servers}/zones/${name}`, { rrsets: mods }), 404)
  const data = { name, kind: 'master', masters: [], nameservers: [], rrsets: mods, soa_edit_api: 'default', serial: 0 }
  expect(await send('POST', `${servers}/zones`, data), 201)
  const changes = [
    {
      name: `www.${name}`,
      type: 'A',
      ttl: 60,
      changetype: 'DELETE',
      records: [{ content: '192.0.2.1', disabled: false }],
    },
    {
      name: `www.${name}`,
      type: 'CNAME',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: 'example.net.', disabled: false }],
    },
    {
      name,
      type: 'CAA',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: '0 issue "letsencrypt.org"', disabled: false }],
    },
    {
      name: `loc.${name}`,
      type: 'LOC',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: '31 58 52.100 S 115 49 11.700 E 20.00m 10.00m 10.00m 2.00m', disabled: false }],
    },
    {
      name: `naptr.${name}`,
      type: 'NAPTR',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: '10 100 "S" "SIP+D2U" "" sip.example.net.', disabled: false }],
    },
    {
      name: `txt.${name}`,
      type: 'TXT',
      ttl: 60,
      changetype: 'REPLACE',
      records: [{ content: '"v=DMARC1; p=none"', disabled: false }],
    },
  ]
  expect(await send('PATCH', `${servers}/zones/${name}`, { rrsets: changes }), 204)
  const zone = name.slice(0, -1)
  assert.deepEqual(await contents(zone, `www.${name}`, 'CNAME'), ['example.net.'])
  // It splits these at spaces and removes their quotes.
  assert.deepEqual(await contents(zone, name, 'CAA'), ['0 issue "letsencrypt.org"'])
  assert.deepEqual(await contents(zone, `naptr.${name}`, 'NAPTR'), ['10 100 "S" "SIP+D2U" "" sip.example.net.'])
  assert.deepEqual(await contents(zone, `txt.${name}`, 'TXT'), ['"v=DMARC1; p=none"'])
  const [loc = ''] = (await contents(zone, `loc.${name}`, 'LOC')) ?? []
  assert.equal(loc.replaceAll('m', '').split(' ').length, 12)
})

// kubernetes-sigs/external-dns, provider/pdns/pdns.go: a CNAME at the apex is sent as ALIAS.
test('external-dns sets an ALIAS at the apex, and reads it back', async () => {
  const zone = await freshZone()
  const path = `${servers}/zones/${zone}.`
  const apex = { name: `${zone}.`, type: 'ALIAS' }
  const patch = (set: object) => send('PATCH', path, { rrsets: [set] })
  const records = [{ content: 'lb.example.net.', disabled: false }]
  expect(await patch({ ...apex, ttl: 300, changetype: 'REPLACE', records }), 204)
  assert.deepEqual(await contents(zone, `${zone}.`, 'ALIAS'), ['lb.example.net.'])
  expect(
    await patch({ name: `${zone}.`, type: 'A', ttl: 300, changetype: 'REPLACE', records: [{ content: '192.0.2.1' }] }),
    422,
  )
  expect(await patch({ ...apex, changetype: 'DELETE', records: [] }), 204)
  assert.equal(await contents(zone, `${zone}.`, 'ALIAS'), undefined)
})

// StackExchange/dnscontrol 108af19, providers/powerdns/diff.go, dns.go, dnssec.go; mittwald/go-powerdns 427f817, apis/zones/types_zone.go,
// zones_addrecordset.go, zones_removerecordset.go. Each change is one request, in a zone object that is otherwise empty.
test('dnscontrol changes one record set with each request, and reads the DNSSEC keys', async () => {
  const zone = await freshZone()
  const path = `${servers}/zones/${zone}.`
  const patch = (set: object) =>
    send('PATCH', path, { name: '', type: '', rrsets: [{ ...set, comments: null }], nameservers: null })
  const www = { name: `www.${zone}.`, type: 'A' }
  expect(await send('GET', `${servers}/zones/${zone}`), 200)
  expect(
    await patch({ ...www, ttl: 300, changetype: 'REPLACE', records: [{ content: '192.0.2.1', disabled: false }] }),
    204,
  )
  assert.deepEqual(await contents(zone, `www.${zone}.`, 'A'), ['192.0.2.1'])
  assert.deepEqual((await send('GET', `${path}/cryptokeys`)).body, [])
  expect(await patch({ ...www, ttl: 0, changetype: 'DELETE', records: null }), 204)
  assert.equal(await contents(zone, `www.${zone}.`, 'A'), undefined)
  const name = `dnscontrol${++zones}.example.com.`
  const created = await send('POST', `${servers}/zones`, {
    name,
    type: 'Zone',
    nameservers: testNameservers.map((host) => `${host}.`),
  })
  expect(created, 201)
})

// proxmox/pve-network 22c85db, src/PVE/Network/SDN/Dns/PowerdnsPlugin.pm. The TTL comes from a configuration file: it may be a text.
test('Proxmox registers the addresses and the reverse names of guests', async () => {
  const json = { headers: { 'content-type': 'application/json; charset=UTF-8' } }
  const [zone, reverse] = [await freshZone(), (await api.zone(account, '2.0.192.in-addr.arpa')).name]
  expect(await send('GET', servers, undefined, json), 200)
  expect(await send('GET', `${servers}/zones/${zone}?rrsets=false`, undefined, json), 200)
  const patch = (of: string, set: object) => send('PATCH', `${servers}/zones/${of}`, { rrsets: [set] }, json)
  const guest = { name: `guest.${zone}.`, type: 'A' }
  const record = (content: string) => ({ ...guest, content, disabled: false })
  expect(await patch(zone, { ...guest, ttl: '3600', changetype: 'REPLACE', records: [record('192.0.2.7')] }), 204)
  const found = (await send('GET', `${servers}/zones/${zone}`, undefined, json)).body.rrsets.find(
    ({ name }: { name: string }) => name === guest.name,
  )
  assert.equal(found.ttl, 3600)
  expect(
    await patch(zone, {
      ...guest,
      ttl: found.ttl,
      changetype: 'REPLACE',
      records: [...found.records, record('192.0.2.8')],
    }),
    204,
  )
  assert.deepEqual(await contents(zone, guest.name, 'A'), ['192.0.2.7', '192.0.2.8'])
  expect(await patch(zone, { ...guest, changetype: 'DELETE', records: [] }), 204)
  const ptr = { name: '7.2.0.192.in-addr.arpa.', type: 'PTR' }
  const names = [{ content: guest.name, disabled: false, ...ptr }]
  expect(await patch(`${reverse}.`, { ...ptr, ttl: 14_400, changetype: 'REPLACE', records: names }), 204)
  assert.deepEqual(await contents(reverse, ptr.name, 'PTR'), [guest.name])
  expect(await patch(`${reverse}.`, { ...ptr, changetype: 'DELETE', records: [] }), 204)
})

// AnalogJ/lexicon 067e3c6, lexicon/providers/powerdns.py, which certbot-dns-powerdns calls. It sends a body with each GET, leaves `comments`
// out of what it has read, and deletes with REPLACE.
test('lexicon adds a value to a record set, and removes it', async () => {
  const zone = await freshZone()
  const name = `_acme-challenge.${zone}.`
  const read = async () => {
    const { body } = await send('GET', `${servers}/zones/${zone}`, {})
    return body.rrsets.find((each: { name: string; type: string }) => each.name === name && each.type === 'TXT')
  }
  const patch = (set: object) => send('PATCH', `${servers}/zones/${zone}`, { rrsets: [set] })
  const value = (content: string) => ({ content, disabled: false })
  expect(await patch({ name, type: 'TXT', records: [value('"one"')], ttl: 600, changetype: 'REPLACE' }), 204)
  const { comments: _, ...set } = await read()
  expect(await patch({ ...set, records: [...set.records, value('"two"')], changetype: 'REPLACE' }), 204)
  assert.deepEqual(await contents(zone, name, 'TXT'), ['"one"', '"two"'])
  expect(await patch({ ...set, records: [], changetype: 'REPLACE' }), 204)
  assert.equal(await read(), undefined)
})

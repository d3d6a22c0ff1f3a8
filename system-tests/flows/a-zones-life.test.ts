// docs/flows/a-zones-life.md, on real processes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  askUdp,
  authenticatorCode,
  Browser,
  eventually,
  newcomer,
  type ReceivedEvent,
  RegistryOffice,
  startDnsProvider,
  VirtualClock,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const { api, facts, received, mailbox } = world
const office = await RegistryOffice.of(world)
const domain = 'life.test'
const ours = facts.nameservers.map(({ name }) => name)
const servers = facts.nameservers.map(({ address }) => address)
const elsewhere = 'ns.provider.test'
const provider = await startDnsProvider([domain])
after(() => provider.close())

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any
async function call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Body> {
  const answer = await api.call<Body>(method, path, body, headers)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const delegateTo = (...nameservers: string[]) => office.delegate(domain, nameservers)

/** The data of an event about the domain that satisfies the condition. */
async function event(what: string, type: string, wanted: (data: Body) => boolean = () => true): Promise<Body> {
  const isIt = (each: ReceivedEvent) => each.type === type && each.data.zone?.name === domain && wanted(each.data)
  const request = await received.waitFor(what, isIt)
  assert.equal(request.verified, true, request.doubt ?? '')
  return JSON.parse(request.body).data
}

async function answered(name: string, type: string, answers: readonly string[]): Promise<void> {
  for (const server of servers)
    await eventually(
      `${server} answers ${name} ${type} with ${answers.join(', ')}`,
      async () => String((await askUdp(server, name, type)).answers) === String(answers),
    )
}

const clock = new VirtualClock(world)
/** Requests checks until the delegation is in a state. */
async function becomes(state: string): Promise<Body> {
  return eventually(`the delegation is ${state}`, async () => {
    // A delegation is checked at most once in ten seconds, and a new state needs a second check a minute later.
    await clock.pass(120)
    const found = await call('POST', `/zones/${domain}/delegation/check`)
    return found.state === state ? found : undefined
  })
}

let id = ''

test('a domain at another DNS provider is added, prepared, and goes live as soon as control of it is proved', async () => {
  await office.setHost(elsewhere, provider.address)
  await delegateTo(elsewhere)
  const added = await call('POST', '/zones', { name: domain })
  id = added.id
  assert.equal(added.state, 'pending')
  await api.put(domain, '@', 'A', ['192.0.2.1'])
  assert.equal((await call('POST', `/zones/${id}/verify`)).state, 'pending')
  assert.equal((await askUdp(servers[0] ?? '', domain, 'A')).rcode, 'REFUSED', 'nothing is published before')
  provider.set(added.verification.txt.name, [added.verification.txt.value])
  const verified = await eventually('control is proved', async () => {
    const zone = await call('POST', `/zones/${id}/verify`)
    return zone.state === 'live' ? zone : undefined
  })
  assert.equal(verified.origin, 'verified')
  assert.deepEqual(await event('zone.created', 'zone.created'), { zone: { id, name: domain } })
  await answered(domain, 'A', ['192.0.2.1'])
})

test('its delegation goes from waiting to live, partial and lost, with one event for each change', async () => {
  const { items } = await call('GET', `/zones/${domain}/checklist`)
  assert.equal(items.find((item: Body) => item.id === 'delegated').state, 'todo')
  const told = (state: string, previous: string) =>
    event(
      `${previous} → ${state}`,
      'zone.delegation_changed',
      (data) => data.state === state && data.previous_state === previous,
    )
  await delegateTo(...ours)
  await becomes('live')
  const live = await told('live', 'waiting')
  assert.deepEqual([live.parent_nameservers, live.registry_nameservers], [ours, ours])
  const partly = [elsewhere, ours[0] ?? ''].sort()
  await delegateTo(...partly)
  await becomes('partial')
  assert.deepEqual((await told('partial', 'live')).parent_nameservers, partly)
  await delegateTo(elsewhere)
  await becomes('lost')
  assert.deepEqual((await told('lost', 'partial')).registry_nameservers, [elsewhere])
  const moves = (await received.events()).filter(({ type }) => type === 'zone.delegation_changed')
  assert.deepEqual(
    [...new Map(moves.map((each) => [each.id, each])).values()].map(({ data }) => data.state),
    ['live', 'partial', 'lost'],
  )
  await delegateTo(...ours)
})

test('the API, a preset, an import and a restore change its records, and ns1 and ns2 serve each change', async () => {
  const { version } = await call('GET', `/zones/${domain}`)
  const changed = async (serial: number) =>
    event(`the change ${serial}`, 'zone.records_changed', (data) => data.serial === serial)
  const put = await api.put(domain, 'www', 'CNAME', [`${domain}.`])
  await answered(`www.${domain}`, 'CNAME', [domain])
  await changed(Number(put.headers.get('zone-serial')))

  const preset = await call('POST', `/zones/${domain}/presets/zonewright.no-mail`, { parameters: {} })
  await answered(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s'])
  const presetEvent = await changed(preset.serial)
  assert.ok(presetEvent.changes.some((rrset: Body) => rrset.type === 'MX' && rrset.records[0] === '0 .'))

  const file = `$ORIGIN ${domain}.\n@ 300 IN SOA a. b. 1 2 3 4 5\n@ 300 IN NS ns.elsewhere.example.\nftp 300 IN A 192.0.2.9\n`
  const imported = await call('POST', `/zones/${domain}/import?mode=merge`, file)
  assert.equal(imported.ignored.length, 2)
  await answered(`ftp.${domain}`, 'A', ['192.0.2.9'])
  await changed(imported.serial)

  const restored = await call('POST', `/zones/${domain}/versions/${version}/restore`)
  await answered(`ftp.${domain}`, 'A', [])
  await answered(domain, 'A', ['192.0.2.1'])
  const { changes } = await changed(restored.serial)
  assert.ok(changes.length >= 4 && changes.every((rrset: Body) => rrset.records.length === 0))
})

const owner = new Browser(facts.base_url)

test('its manager can change records but not delete it, and loses access when removed', async () => {
  await signIn()
  const email = 'manager@example.net'
  const manager = await newcomer(world, email)
  const invited = await owner.call('POST', `/api/v1/zones/${domain}/managers`, { email })
  assert.equal(invited.status, 201, JSON.stringify(invited.body))
  await mailbox.waitFor(email, 'the invitation', ({ subject }) => subject.includes(domain))
  assert.equal((await manager.call('GET', `/api/v1/zones/${domain}`)).status, 404, 'nothing before it is accepted')
  const { body: list } = await manager.call('GET', '/api/v1/invitations')
  const [invitation] = list['data'] as { id: string }[]
  assert.equal((await manager.call('POST', `/api/v1/invitations/${invitation?.id}/accept`)).status, 200)
  const change = { ttl: 60, records: ['"by the manager"'] }
  assert.equal((await manager.call('PUT', `/api/v1/zones/${domain}/rrsets/note/TXT`, change)).status, 201)
  await answered(`note.${domain}`, 'TXT', ['by the manager'])
  assert.equal((await manager.call('DELETE', `/api/v1/zones/${domain}`, { name: domain })).status, 403)
  const { body: managers } = await owner.call('GET', `/api/v1/zones/${domain}/managers`)
  const [one] = managers['data'] as { account: string }[]
  assert.equal((await owner.call('DELETE', `/api/v1/zones/${domain}/managers/${one?.account}`)).status, 204)
  assert.equal((await manager.call('GET', `/api/v1/zones/${domain}`)).status, 404)
})

test('deleting it by typing its name removes it from ns1 and ns2, and restoring it brings everything back', async () => {
  const before = (await call('GET', `/zones/${domain}`)).serial
  const wrong = await owner.call('DELETE', `/api/v1/zones/${domain}`, { name: 'other.test' })
  assert.equal(wrong.status, 422)
  assert.equal((await owner.call('DELETE', `/api/v1/zones/${domain}`, { name: domain })).status, 204)
  for (const server of servers)
    await eventually(`${server} has it no more`, async () => (await askUdp(server, domain, 'A')).rcode === 'REFUSED')
  assert.deepEqual(await event('zone.deleted', 'zone.deleted'), { zone: { id, name: domain } })
  const { body: deleted } = await owner.call('GET', '/api/v1/deleted-zones')
  assert.deepEqual(
    (deleted['data'] as { id: string }[]).map((zone) => zone.id),
    [id],
  )
  const restored = await owner.call('POST', `/api/v1/deleted-zones/${id}/restore`)
  assert.equal(restored.status, 200, JSON.stringify(restored.body))
  await answered(`note.${domain}`, 'TXT', ['by the manager'])
  const created = await eventually('zone.created again', async () => {
    const all = (await received.events()).filter(({ type, data }) => type === 'zone.created' && data.zone.id === id)
    return new Set(all.map((each) => each.id)).size === 2
  })
  assert.ok(created)
  assert.ok((await call('GET', `/zones/${domain}`)).serial >= before, 'its line of serials goes on')
})

async function signIn(): Promise<void> {
  const { email, password, totp_secret: secret } = facts.account
  const half = await owner.call('POST', '/api/auth/sign-in/email', { email, password })
  assert.equal(half.body['twoFactorRedirect'], true)
  const code = { code: authenticatorCode(secret) }
  assert.equal((await owner.call('POST', '/api/auth/two-factor/verify-totp', code)).status, 200)
}

// docs/flows/a-domain-is-managed.md, on real processes: bought with credit, changed at the sandbox's registry, and transferred to its
// other registrar.
import assert from 'node:assert/strict'
import test from 'node:test'
import { askUdp, eventually, RegistryOffice, Shopper, VirtualClock, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { api, facts } = world
const shopper = await Shopper.at(world)
const office = await RegistryOffice.of(world)
const clock = new VirtualClock(world)
const { email } = facts.account
const ours = facts.nameservers.map(({ name }) => name)
const lock = ['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited']
await world.admin('credit', 'grant', email, String(5 * 1_250_000), 'for the flows')

type Body = Record<string, unknown>

/** Buys a domain with credit, and waits until it is registered and locked. */
async function bought(name: string): Promise<Body> {
  const { id } = await shopper.order(name, { order: { use_credit: true } })
  await shopper.until(id, 'completed')
  const read = async (): Promise<Body> => (await api.call('GET', `/domains/${name}`)).body
  await eventually('it is locked', async () => (await read())['locked'] === true)
  return read()
}
/** Calls as the owner, in the dashboard. */
const byOwner = (method: string, path: string, body?: object) =>
  shopper.dashboard.call(method, `/api/v1/domains/${path}`, body)
const statusesOf = async (name: string): Promise<string[]> => {
  const { statuses = [] } = (await office.domain(name)) ?? {}
  return statuses.filter((status) => status.startsWith('client')).sort()
}
const codeIn = ({ status, body }: { status: number; body: Body }): unknown[] => [
  status,
  (body['error'] as Body | undefined)?.['code'],
]
const parentOf = async (name: string): Promise<unknown> =>
  (await api.call('GET', `/zones/${name}/delegation`)).body['parent_nameservers']

test('a key changes nameservers and glue; the TLD’s servers serve them, and the delegation is checked', async () => {
  const name = 'managed.test'
  const domain = await bought(name)
  assert.deepEqual(
    [domain['status'], domain['nameservers'], domain['locked'], domain['role']],
    ['active', ours, true, 'owner'],
  )
  await eventually('it is delegated to us', async () => String(await parentOf(name)) === ours.join())
  // One of them has the domain's own name.
  const nameservers = [name, `ns2.${name}`]
  const hosts = nameservers.map((host) => ({ name: host, addresses: ['127.0.0.1'] }))
  const lacking = await api.call('PUT', `/domains/${name}/nameservers`, { nameservers })
  assert.deepEqual(codeIn(lacking), [422, 'validation_failed'])
  const changed = await api.call('PUT', `/domains/${name}/nameservers`, { nameservers, hosts })
  assert.deepEqual([changed.status, changed.body['nameservers']], [200, nameservers])
  assert.deepEqual((await office.domain(name))?.nameservers, nameservers)
  for (const host of nameservers) {
    const glue = await askUdp(facts.registry.dns, host, 'A')
    assert.equal(glue.rcode, 'NOERROR', host)
  }
  await eventually('the check that it wakes sees them', async () => String(await parentOf(name)) === nameservers.join())
  const back = await api.call('PUT', `/domains/${name}/nameservers`, { nameservers: ours })
  assert.equal(back.status, 200)
  await eventually('and those that it has then', async () => String(await parentOf(name)) === ours.join())
})

test('a key can lock a domain; only its owner can unlock it, in the dashboard with a code', async () => {
  const name = 'locked.test'
  await bought(name)
  assert.deepEqual(await statusesOf(name), ['clientTransferProhibited'], 'as every new domain')
  assert.equal((await api.call('POST', `/domains/${name}/lock`)).body['locked'], true)
  assert.deepEqual(await statusesOf(name), lock)
  assert.deepEqual(codeIn(await api.call('POST', `/domains/${name}/unlock`, { code: '000000' })), [403, 'forbidden'])
  const early = await byOwner('POST', `${name}/transfer-code`, { code: '000000' })
  assert.deepEqual(codeIn(early), [409, 'domain_locked'])
  const unlocked = await byOwner('POST', `${name}/unlock`, { code: await shopper.code() })
  assert.deepEqual([unlocked.status, unlocked.body['locked']], [200, false])
  assert.deepEqual(await statusesOf(name), [])
})

test('a domain is transferred to another registrar: each request is emailed to the owner, who rejects, then approves', async () => {
  const name = 'leaving.test'
  await bought(name)
  assert.equal((await byOwner('POST', `${name}/unlock`, { code: await shopper.code() })).status, 200)
  const since = new Date().toISOString()
  const shown = await byOwner('POST', `${name}/transfer-code`, { code: await shopper.code() })
  assert.equal(shown.status, 200, JSON.stringify(shown.body))
  const authInfo = String(shown.body['transfer_code'])
  const { domains } = office.rival
  assert.equal((await domains.requestTransfer({ name, authInfo: 'guessed' }, 'guess')).kind, 'refused')
  for (const decision of ['reject', 'approve'] as const) {
    assert.equal((await domains.requestTransfer({ name, authInfo }, `ask-to-${decision}`)).kind, 'pending')
    await eventually(
      'the owner sees it',
      async () => (await byOwner('GET', name)).body['status'] === 'transferring_out',
    )
    const decided = await byOwner('POST', `${name}/transfer-out/${decision}`)
    assert.equal(decided.status, decision === 'reject' ? 200 : 204, JSON.stringify(decided.body))
    assert.equal((await office.domain(name))?.sponsor, decision === 'reject' ? 'zonewright' : 'rival')
  }
  const isAboutIt = ({ subject }: { subject: string }): boolean => subject.startsWith(`Transfer of ${name} `)
  const mail = await world.mailbox.waitFor(email, 'the warning', isAboutIt, { since })
  assert.match(mail.text, /registrar rival has requested a transfer/)
  await eventually(
    'two of them',
    async () => (await world.mailbox.list({ to: email, since })).filter(isAboutIt).length === 2,
  )
  assert.deepEqual(codeIn(await byOwner('GET', name)), [404, 'not_found'])
  assert.equal((await api.call('GET', `/zones/${name}`)).body['state'], 'live')
})

test('a domain is locked again, with the requested nameservers, after a kill between unlocking and locking', async () => {
  const name = 'killed.test'
  await bought(name)
  await api.call('POST', `/domains/${name}/lock`)
  // The registry allows updates, but never responds.
  await office.once('domain:update', name, { answer: 'hang' })
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  const asked = api.call('PUT', `/domains/${name}/nameservers`, { nameservers }).catch(() => undefined)
  await eventually('updates are allowed', async () => !(await statusesOf(name)).includes('clientUpdateProhibited'))
  const { service } = world.programs
  const { pid } = service
  assert.ok(pid !== undefined && pid > 1)
  process.kill(pid, 'SIGKILL')
  await asked
  await eventually('another one is started', async () => service.pid !== pid)
  await service.ready()
  assert.deepEqual(await statusesOf(name), lock.slice(0, 2), 'nobody is at it')
  await clock.pass(121)
  await clock.until('it is locked again', async () => (await statusesOf(name)).length === 3)
  assert.deepEqual((await office.domain(name))?.nameservers, nameservers)
  await clock.until('and shown so', async () => (await api.call('GET', `/domains/${name}`)).body['change'] === null)
  const domain = (await api.call('GET', `/domains/${name}`)).body
  assert.deepEqual([domain['locked'], domain['nameservers']], [true, nameservers])
  const updates = (await office.sent(name)).filter(({ command }) => command === 'domain:update')
  assert.equal(updates.length, 5, 'default lock, lock, allow, nameservers, prohibit: each once')
})

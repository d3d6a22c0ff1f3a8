// What others do wrong, and clocks: receivers that hang, drip, flood and redirect; a worker whose own clock is wrong; two workers on one order.
import assert from 'node:assert/strict'
import test from 'node:test'
import { eventually, type ReceivedRequest, Shopper, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { api, facts, received } = world

interface Delivery {
  readonly status: string
  readonly last_status: number | null
  readonly attempts: number
}

/** Changes a record, and returns the serial that its event tells. */
async function change(name: string): Promise<number> {
  return Number((await api.put(facts.zone.name, name, 'A', ['192.0.2.1'])).headers.get('zone-serial'))
}

async function requestsOf(serial: number): Promise<ReceivedRequest[]> {
  return (await received.requests()).filter(({ body }) => JSON.parse(body).data.serial === serial)
}

/** An endpoint at a receiver of this name, which behaves so. */
async function endpoint(name: string, behaviour: Readonly<Record<string, unknown>>): Promise<string> {
  const url = facts.receiver_url.replace('/demo', `/${name}`)
  const made = await api.call<{ id: string }>('POST', '/webhooks', { url })
  assert.equal(made.status, 201)
  await received.behave(behaviour, name)
  return made.body.id
}

async function untilTried(id: string): Promise<Delivery> {
  return await eventually(`an attempt at ${id}`, async () => {
    const { body } = await api.call<{ data: Delivery[] }>('GET', `/webhooks/${id}/deliveries`)
    return body.data.find(({ attempts }) => attempts > 0)
  })
}

test('receivers that hang, drip, flood or redirect hold nobody else up, and each is judged by its answer', async () => {
  const ids = {
    hang: await endpoint('hang', { hang: true }),
    drip: await endpoint('drip', { pour: 'drip' }),
    flood: await endpoint('flood', { pour: 'flood' }),
    redirect: await endpoint('redirect', { redirect: facts.receiver_url.replace('/demo', '/elsewhere') }),
  }
  const serial = await change('faults')
  const at = async (receiver: string, of: number): Promise<number> => {
    const request = await eventually(`a request at ${receiver}`, async () =>
      (await requestsOf(of)).find((each) => each.receiver === receiver),
    )
    return Date.parse(request.at)
  }
  // Whatever the order of the lanes was: this one is due while `hang` lets its request hang, which is given 10 s.
  const hangsSince = await at('hang', serial)
  const tookMs = (await at('demo', await change('meanwhile'))) - hangsSince
  assert.ok(tookMs < 10_000, `${tookMs} ms after that of the receiver that hangs`)
  const all = await eventually('all of them are tried', async () => {
    const requests = await requestsOf(serial)
    return requests.length >= 5 ? requests : undefined
  })
  assert.deepEqual(all.map(({ receiver }) => receiver).sort(), ['demo', 'drip', 'flood', 'hang', 'redirect'])
  const judged = async (id: string): Promise<unknown> => {
    const { status, last_status, attempts } = await untilTried(id)
    return [status, last_status, attempts]
  }
  assert.deepEqual(await judged(facts.webhook.id), ['succeeded', 200, 1])
  assert.deepEqual(await judged(ids.redirect), ['pending', 302, 1])
  assert.deepEqual(await judged(ids.flood), ['succeeded', 200, 1])
  assert.deepEqual(await judged(ids.drip), ['succeeded', 200, 1])
  assert.deepEqual(await judged(ids.hang), ['pending', null, 1])
  assert.equal((await requestsOf(serial)).length, 5, 'no redirect is followed, nothing comes twice')
  for (const id of Object.values(ids)) assert.equal((await api.call('DELETE', `/webhooks/${id}`)).status, 204)
})

test('a worker whose own clock is a year ahead and then a year behind signs and delivers by the database’s, each event once', async () => {
  for (const days of [365, -365]) {
    const env = { NODE_OPTIONS: `--import=${wrongClock(days)}` }
    const wrong = await world.alsoRun('worker', env)
    // Only the wrong one is left to deliver.
    const { service } = world.programs
    await service.stop()
    const apart = [await world.alsoRun('api', {}), await world.alsoRun('primary', {})]
    const serial = await change(`clock${days}`)
    const [request] = await eventually('its event', async () => {
      const requests = await requestsOf(serial)
      return requests.length > 0 ? requests : undefined
    })
    assert.equal(request?.verified, true, request?.doubt ?? '')
    for (const part of apart) await part.stop()
    await service.restart()
    await wrong.stop()
    assert.equal((await requestsOf(serial)).length, 1)
  }
})

test('two workers, both woken for every order: each order is carried out once', async () => {
  const other = await world.alsoRun('worker', {})
  const shopper = await Shopper.at(world)
  await world.admin('promo', 'create', 'GIFT', '--percent', '100', '--repeatable')
  const names = Array.from({ length: 6 }, (_, i) => `two-workers-${i}.test`)
  const orders = await Promise.all(names.map((name) => shopper.order(name, { quote: { promo_code: 'GIFT' } })))
  for (const { id } of orders) await shopper.until(id, 'completed')
  const told = async (): Promise<string[]> =>
    (await received.events()).flatMap(({ type, data }) => (data.order ? [`${type} ${data.order.name}`] : []))
  await eventually('all events', async () => (await told()).length >= 2 * names.length)
  assert.deepEqual(
    (await told()).sort(),
    ['order.completed', 'order.paid'].flatMap((type) => names.map((name) => `${type} ${name}`)),
  )
  await other.stop()
})

/** Code that moves a process's own clock, wherever it is read. */
function wrongClock(days: number): string {
  const ms = days * 24 * 60 * 60 * 1_000
  const code = `const Right = Date; globalThis.Date = class extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() + ${ms}) : super(...given) }
    static now() { return Right.now() + ${ms} } }`
  return `data:text/javascript,${encodeURIComponent(code)}`
}

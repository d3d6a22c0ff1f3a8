// Faults of other systems and of clocks: receivers that hang, drip, flood and redirect; processes whose own clocks jump; two workers on one order.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Program } from '../../tools/local/process.ts'
import {
  askUdp,
  eventually,
  jumpingClock,
  nightlyTest,
  type ReceivedRequest,
  Shopper,
  untilAnswered,
  VirtualClock,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const { api, facts, received } = world

interface Delivery {
  readonly status: string
  readonly last_status: number | null
  readonly attempts: number
}

/** Changes a record, and returns the serial in its event. */
async function change(name: string): Promise<number> {
  return Number((await api.put(facts.zone.name, name, 'A', ['192.0.2.1'])).headers.get('zone-serial'))
}

async function requestsOf(serial: number): Promise<ReceivedRequest[]> {
  return (await received.requests()).filter(({ body }) => JSON.parse(body).data.serial === serial)
}

/** Creates an endpoint at a receiver with this name and behavior. */
async function endpoint(name: string, behaviour: Readonly<Record<string, unknown>>): Promise<string> {
  const url = new URL(name, facts.receiver_url).href
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

test('receivers that hang, drip, flood or redirect delay no others, and their own responses decide their deliveries', async () => {
  const ids = {
    hang: await endpoint('hang', { hang: true }),
    drip: await endpoint('drip', { pour: 'drip' }),
    flood: await endpoint('flood', { pour: 'flood' }),
    redirect: await endpoint('redirect', { redirect: new URL('elsewhere', facts.receiver_url).href }),
  }
  const serial = await change('faults')
  const at = async (receiver: string, of: number): Promise<number> => {
    const request = await eventually(`a request at ${receiver}`, async () =>
      (await requestsOf(of)).find((each) => each.receiver === receiver),
    )
    return Date.parse(request.at)
  }
  // Regardless of the order of the lanes, this one is due while `hang` lets its request hang, for up to 10 s.
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

nightlyTest(
  'an API and a worker whose clocks jump by a year in both directions use the database’s: changes are served, each event sent once',
  async () => {
    const clock = jumpingClock(world, 'service')
    const { service } = world.programs
    await service.stop()
    clock.set(365 * dayMs)
    const parts = await Promise.all([
      world.alsoRun('api', clock.env),
      world.alsoRun('worker', clock.env),
      world.alsoRun('primary', {}),
    ])
    // Wrong from the start, then wrong during their work.
    for (const days of [365, -365, 0]) {
      clock.set(days * dayMs)
      const serial = await change(`clock${days}`)
      await untilServed(`clock${days}`)
      await receivedOnce(serial, true)
    }
    for (const part of parts) await part.stop()
    await service.restart()
  },
)

nightlyTest(
  'while the clock of a primary or a nameserver is an hour off, no zone is transferred; afterwards, no change is lost',
  async (t) => {
    const time = new VirtualClock(world)
    const clocks = { primary: jumpingClock(world, 'primary'), ns1: jumpingClock(world, 'ns1') }
    const { service, ns1 } = world.programs
    await Promise.all([service.stop(), ns1.stop()])
    const jumping = new Program({ ...ns1.spec, env: { ...ns1.spec.env, ...clocks.ns1.env } })
    t.after(() => jumping.stop())
    const parts = await Promise.all([
      world.alsoRun('api', {}),
      world.alsoRun('worker', {}),
      world.alsoRun('primary', clocks.primary.env),
      jumping.start().then(() => jumping),
    ])
    await change('right')
    await untilServed('right')
    const [first = '', second = ''] = facts.nameservers.map(({ address }) => address)
    for (const [whose, clock] of Object.entries(clocks))
      for (const hours of [1, -1]) {
        const name = `${whose}${hours}`
        // TSIG allows five minutes (RFC 8945 §5.2.3).
        clock.set((hours * dayMs) / 24)
        const serial = await change(name)
        if (whose === 'ns1') await untilServed(name, [second])
        await time.pass(31)
        await receivedOnce(serial, false)
        assert.deepEqual((await askUdp(first, `${name}.${facts.zone.name}`, 'A')).answers, [])
        assert.deepEqual((await askUdp(first, `right.${facts.zone.name}`, 'A')).answers, ['192.0.2.1'])
        clock.set(0)
        await untilServed(name)
        await receivedOnce(serial, false)
      }
    for (const part of parts) await part.stop()
    await Promise.all([service.restart(), ns1.restart()])
  },
)

test('two workers that are both woken for every order carry out each order once', async () => {
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

const dayMs = 24 * 60 * 60 * 1_000

async function untilServed(name: string, by = facts.nameservers.map(({ address }) => address)): Promise<void> {
  for (const address of by) await untilAnswered(address, `${name}.${facts.zone.name}`, 'A', '192.0.2.1')
}

/** Checks that the event of the change came once, with a valid signature. */
async function receivedOnce(serial: number, isReplicated: boolean): Promise<void> {
  const requests = await eventually('its event', async () => {
    const requests = await requestsOf(serial)
    return requests.length > 0 && requests
  })
  assert.deepEqual(
    requests.map(({ verified, doubt, body }) => [verified, doubt, JSON.parse(body).data.replicated]),
    [[true, null, isReplicated]],
  )
}

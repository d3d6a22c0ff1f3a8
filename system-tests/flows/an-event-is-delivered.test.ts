// docs/flows/an-event-is-delivered.md, on real processes: the delivery of an event whose receiver does not work.
import assert from 'node:assert/strict'
import test from 'node:test'
import { eventually, type ReceivedRequest, VirtualClock, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { api, facts, received } = world
const clock = new VirtualClock(world)
const path = `/webhooks/${facts.webhook.id}`
const minute = 60
const day = 24 * 60 * minute

interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly status: string
  readonly attempts: number
}

/** Changes a record; returns the serial in its event. */
async function change(value: string): Promise<number> {
  const answer = await api.put(facts.zone.name, 'delivered', 'TXT', [`"${value}"`])
  return Number(answer.headers.get('zone-serial'))
}

async function requestsOf(serial: number): Promise<ReceivedRequest[]> {
  return (await received.requests()).filter(({ body }) => JSON.parse(body).data.serial === serial)
}

async function untilReceived(serial: number, count: number): Promise<ReceivedRequest[]> {
  return await eventually(`${count} requests for serial ${serial}`, async () => {
    const requests = await requestsOf(serial)
    return requests.length >= count ? requests : undefined
  })
}

/** Waits until the delivery of an event has this state. */
async function untilDelivery(serial: number, wanted: Partial<Delivery>): Promise<Delivery> {
  const [request] = await untilReceived(serial, 1)
  const eventId = JSON.parse(request?.body ?? '').id
  return await eventually(`the delivery of serial ${serial} is ${JSON.stringify(wanted)}`, async () => {
    const { body } = await api.call<{ data: Delivery[] }>('GET', `${path}/deliveries`)
    return body.data.find(
      (one) =>
        one.event_id === eventId &&
        Object.entries(wanted).every(([name, value]) => one[name as keyof Delivery] === value),
    )
  })
}

async function stateOf(): Promise<string> {
  return (await api.call<{ state: string }>('GET', path)).body.state
}

test('a failed delivery is retried after a minute, with a new signature', async () => {
  await received.behave({ status: 500 })
  const serial = await change('retry')
  await untilDelivery(serial, { status: 'pending', attempts: 1 })
  await received.behave({})
  await clock.pass(minute + 1)
  const [first, second] = await untilReceived(serial, 2)
  assert.equal(first?.body, second?.body)
  assert.notEqual(first?.headers['service-signature'], second?.headers['service-signature'])
  assert.equal(second?.verified, true)
  const { id } = await untilDelivery(serial, { status: 'succeeded', attempts: 2 })
  const { body } = await api.call<{ attempts: { status: number; failure: string | null }[] }>(
    'GET',
    `${path}/deliveries/${id}`,
  )
  assert.deepEqual(
    body.attempts.map(({ status, failure }) => [status, failure]),
    [
      [500, 'status'],
      [200, null],
    ],
  )
})

test('a successful delivery is resent when its owner requests it, through both paths', async () => {
  const serial = await change('redeliver')
  const { id } = await untilDelivery(serial, { status: 'succeeded' })
  const answer = await api.call<Delivery>('POST', `${path}/deliveries/${id}/redeliver`)
  assert.deepEqual([answer.status, answer.body.id], [202, id])
  const again = (await untilReceived(serial, 2))[1]
  assert.equal(again?.repeated, true)
  await untilDelivery(serial, { status: 'succeeded', attempts: 2 })
  const specified = await fetch(`${facts.base_url}${path}/deliveries/${id}/redeliver`, {
    method: 'POST',
    headers: { authorization: `Bearer ${facts.api_key}` },
  })
  assert.equal(specified.status, 202)
  await untilReceived(serial, 3)
})

test('a test reports the result of its ping', async () => {
  const { status, body } = await api.call('POST', `${path}/test`)
  assert.equal(status, 200)
  assert.deepEqual([body['status'], body['last_status']], ['succeeded', 200])
})

let missed: number[] = []
const since = clock.now()

test('an endpoint is disabled after three days without a success, its owner is emailed, and new events are skipped', async () => {
  await received.behave({ status: 503 })
  const first = await change('failing')
  await untilDelivery(first, { attempts: 1 })
  await clock.pass(3 * day - 10 * minute)
  await untilDelivery(first, { attempts: 2 })
  assert.equal(await stateOf(), 'enabled')
  await clock.pass(10 * minute)
  const last = await change('the last straw')
  await untilDelivery(last, { attempts: 1 })
  assert.equal(await stateOf(), 'enabled', 'one failure of the later event')
  await clock.pass(minute + 1)
  await eventually('the endpoint is disabled', async () => (await stateOf()) === 'disabled')
  for (const subject of ['Webhook deliveries are failing', 'Webhook endpoint disabled']) {
    const mail = await world.mailbox.waitFor(facts.account.email, subject, (one) => one.subject.startsWith(subject))
    assert.match(mail.text, new RegExp(facts.receiver_url))
  }
  const skipped = await change('while it is off')
  missed = [first, last, skipped]
  await eventually('all three are skipped', async () => {
    const { body } = await api.call<{ data: Delivery[] }>('GET', `${path}/deliveries?status=skipped`)
    return body.data.length === 3
  })
  assert.deepEqual(await requestsOf(skipped), [])
})

test('an endpoint that is enabled again gets its missed events, oldest first, when its owner recovers them', async () => {
  await received.behave({})
  const { body } = await api.call<{ state: string; disabled_at: null }>('PATCH', path, { state: 'enabled' })
  assert.deepEqual([body.state, body.disabled_at], ['enabled', null])
  const before = (await received.requests()).length
  const answer = await api.call('POST', `${path}/recover`, { since: since.toISOString() })
  assert.deepEqual([answer.status, answer.body], [202, { recovered: 3, more: false }])
  await untilDelivery(missed[2] ?? 0, { status: 'succeeded' })
  const serials = (await received.events()).slice(before).map(({ data }) => data.serial)
  assert.deepEqual(serials, missed)
  const { body: none } = await api.call<{ data: Delivery[] }>('GET', `${path}/deliveries?status=skipped`)
  assert.deepEqual(none.data, [])
})

// Any single process can be killed at any moment and restarted, without loss of anything that was accepted.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { askUdp, eventually, untilAnswered, VirtualClock, type World, worldForTests } from '../world/index.ts'

const world = await worldForTests({ ownPostgres: true })
const { api, facts, received } = world
const zone = facts.zone.name
const clock = new VirtualClock(world)
const deliveries = `/webhooks/${facts.webhook.id}/deliveries`

/** A change that the API accepted. */
interface Accepted {
  readonly name: string
  readonly value: string
  readonly serial: number
}

for (const victim of ['ns1', 'ns2', 'service', 'postgres'] as const)
  test(`kill -9 of ${victim} loses no accepted change and no event, and sandbox.json gets the new process id`, async () => {
    const changes: Accepted[] = []
    let refusals = 0
    for (let i = 0; i < 40; i++) {
      if (i === 10) process.kill(pidOf(world, victim), 'SIGKILL')
      const { accepted, refused } = await putUntilAccepted(`${victim}-${i}`, String(i))
      changes.push(accepted)
      refusals += refused
    }
    if (victim === 'ns1' || victim === 'ns2') assert.equal(refusals, 0, 'the API does not need its nameservers')
    await eventually('the killed process answers again', async () => isUp(world, victim))
    await eventually('sandbox.json has its new process id', async () => {
      const { pids } = JSON.parse(await readFile(join(world.dataDir, 'sandbox.json'), 'utf8')) as typeof facts
      return pids[victim] === pidOf(world, victim)
    })
    await everythingAnswered(changes)
    // Deliveries of a killed worker become due again when its lease of 30 s has expired.
    await clock.pass(35)
    await everythingReceived(changes)
  })

test('while PostgreSQL is down, requests get 503 with Retry-After, and names still resolve', async () => {
  await api.put(zone, 'before', 'A', ['192.0.2.7'])
  for (const index of [0, 1]) await untilAnswered(addressOf(index), `before.${zone}`, 'A', '192.0.2.7')
  await world.postgres?.stop()
  const refused = await eventually('a request is refused', async () => {
    const answer = await api.call<{ error: { code: string } }>('GET', '/zones')
    return answer.status === 503 ? answer : undefined
  })
  assert.equal(refused.body.error.code, 'unavailable')
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  for (const index of [0, 1])
    assert.equal((await askUdp(addressOf(index), `before.${zone}`, 'A')).answers[0], '192.0.2.7')
  await world.postgres?.start()
  await eventually('requests are answered again', async () => (await api.call('GET', '/zones')).status === 200)
})

test('a receiver that failed gets the missed event at the retry, with a valid signature', async () => {
  await received.behave({ status: 500 })
  const { accepted } = await putUntilAccepted('missed', 'soon')
  const request = await received.waitFor('the failed attempt', ({ data }) => data.serial === accepted.serial)
  const eventId = request.headers['service-event-id']
  await eventually('it is known to have failed', async () => {
    const { body } = await api.call<{ data: { event_id: string; attempts: number }[] }>('GET', deliveries)
    return body.data.some(({ event_id, attempts }) => event_id === eventId && attempts === 1)
  })
  await received.behave({})
  await clock.pass(61)
  const requests = await clock.until('the retry', async () => {
    const all = (await received.requests()).filter(({ body }) => JSON.parse(body).data.serial === accepted.serial)
    return all.length >= 2 ? all : undefined
  })
  assert.equal(requests[0]?.body, requests[1]?.body)
  assert.ok(requests.every(({ verified }) => verified))
})

async function putUntilAccepted(name: string, value: string): Promise<{ accepted: Accepted; refused: number }> {
  let refused = 0
  const accepted = await eventually(`${name} is accepted`, async () => {
    const answer = await api.call('PUT', `/zones/${zone}/rrsets/${name}/TXT`, { ttl: 60, records: [`"${value}"`] })
    if (answer.status < 300) return { name, value, serial: Number(answer.headers.get('zone-serial')) }
    refused += 1
    assert.equal(answer.status, 503, JSON.stringify(answer.body))
    return undefined
  })
  return { accepted, refused }
}

async function everythingAnswered(changes: readonly Accepted[]): Promise<void> {
  for (const { name, value } of changes)
    for (const index of [0, 1]) await untilAnswered(addressOf(index), `${name}.${zone}`, 'TXT', value)
}

/** Checks that every change arrived, with first arrivals in the order of their serials (a repeat is allowed). */
async function everythingReceived(changes: readonly Accepted[]): Promise<void> {
  const names = new Set(changes.map(({ name }) => `${name}.${zone}`))
  const serials = await clock.until('every change is received', async () => {
    const events = (await received.events()).filter(({ data }) => names.has(data.changes?.[0]?.name))
    const seen = new Set(events.map(({ data }) => data.changes[0].name as string))
    return seen.size === names.size ? events.map(({ data }) => data.serial as number) : undefined
  })
  const first = [...new Set(serials)]
  assert.deepEqual(
    first,
    [...first].sort((a, b) => a - b),
  )
}

function addressOf(index: number): string {
  return facts.nameservers[index]?.address ?? ''
}

function pidOf({ programs, postgres }: World, victim: 'ns1' | 'ns2' | 'service' | 'postgres'): number {
  const pid = victim === 'postgres' ? postgres?.pid : programs[victim].pid
  assert.ok(pid !== undefined && pid > 1)
  return pid
}

async function isUp({ programs }: World, victim: 'ns1' | 'ns2' | 'service' | 'postgres'): Promise<boolean> {
  if (victim !== 'postgres') await programs[victim].ready()
  return (await api.call('GET', '/zones')).status === 200
}

// docs/flows/many-processes.md: two of each process on one PostgreSQL.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freeAddresses } from '../../tools/local/addresses.ts'
import {
  Api,
  askUdp,
  eventually,
  patienceMs,
  type ReceivedRequest,
  untilAnswered,
  VirtualClock,
  worldForTests,
} from '../world/index.ts'

const second = await freeAddresses()
const world = await worldForTests({
  serviceRole: 'zonewright_service',
  standbyPrimary: second.primary,
  env: { DRAIN_SECONDS: '3' },
})
const { facts, received } = world
const zone = facts.zone.name
const bases = [facts.base_url, `http://${second.http}`]
const others = [
  await world.alsoRun('api', { HTTP_LISTEN: second.http }),
  await world.alsoRun('worker', {}),
  await world.alsoRun('primary', { PRIMARY_LISTEN: second.primary, METRICS_LISTEN: second.receiver }),
] as const
const made = await world.admin('key', 'create', facts.account.email, 'many', '--copies', '40')
const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)
const figures = { first: `${facts.base_url}/metrics`, second: `http://${second.receiver}/metrics` }

test('restarting every process in turn fails no request, and no event is lost, duplicated or late', async (t) => {
  const before = (await received.requests()).length
  const clients = startClients()
  t.after(() => clients.stop())
  await eventually('both APIs take requests', async () => clients.answeredBy.size === 2)
  for (const program of [world.programs.service, ...others]) {
    await program.restart()
    await eventually('both APIs take requests again', async () => clients.ready.size === 2)
  }
  const { accepted, failed } = await clients.stop()
  assert.deepEqual(failed, [])
  const requests = await eventually(
    'every change is received',
    async () => {
      const since = (await received.requests()).slice(before)
      return since.length >= accepted.size ? since : undefined
    },
    2 * patienceMs,
  )
  const seen = requests.map(({ body }) => JSON.parse(body))
  assert.deepEqual(new Set(seen.map(({ data }) => data.serial)), new Set(accepted.keys()))
  assert.equal(requests.length, accepted.size, 'each once')
  assert.deepEqual(
    seen.map(({ data }) => data.serial),
    [...accepted.keys()].sort((a, b) => a - b),
    'in the order of their serials',
  )
  // Work of a process that disappears is repeated when its lease is over: 12 s after its last request at the earliest (`sendUntilMs`).
  const longest = longestPauseMs(requests, accepted)
  assert.ok(longest < 12_000, `for ${longest} ms nothing came, though something waited`)
})

test('within five seconds of the leader freezing, another one serves a change; the old leader resumes as a standby', async (t) => {
  const pid = world.programs.service.pid ?? 0
  const api = new Api(bases[1] ?? '', keys)
  await letTheFirstLead()
  process.kill(pid, 'SIGSTOP')
  t.after(() => process.kill(pid, 'SIGCONT'))
  const frozenAtMs = performance.now()
  const { status } = await api.call('PUT', `/zones/${zone}/rrsets/while-frozen/A`, { records: ['192.0.2.8'] })
  assert.equal(status, 201)
  await eventually('the second leads', () => leads(figures.second))
  for (const { address } of facts.nameservers)
    await eventually('the change is served', async () => {
      const { answers } = await askUdp(address, `while-frozen.${zone}`, 'A')
      return answers.includes('192.0.2.8')
    })
  const tookMs = performance.now() - frozenAtMs
  assert.ok(tookMs < 5_000, `${Math.round(tookMs)} ms`)
  t.diagnostic(`served ${Math.round(tookMs)} ms after the leading process was frozen`)
  process.kill(pid, 'SIGCONT')
  await eventually('the first stands by', async () => !(await leads(figures.first)))
  assert.equal(await leads(figures.second), true)
})

test('the other processes take over within five seconds after the leader is killed', async () => {
  const api = new Api(bases[1] ?? '', keys)
  const pid = world.programs.service.pid ?? 0
  await letTheFirstLead()
  const change = async (name: string): Promise<number> => {
    const beganMs = performance.now()
    const path = `/zones/${zone}/rrsets/${name}/A`
    const { status, body } = await api.call('PUT', path, { records: ['192.0.2.9'] }, { prefer: 'wait=30' })
    assert.deepEqual([status, body['replicated']], [201, true])
    return performance.now() - beganMs
  }
  // The time for the same work without a kill is not part of the takeover.
  const usualMs = (await change('before-one')) + (await change('before-two'))
  process.kill(pid, 'SIGSTOP')
  const changed = change('after-kill')
  process.kill(pid, 'SIGKILL')
  const tookMs = await changed
  assert.ok(tookMs < 5_000 + 2 * usualMs, `${Math.round(tookMs)} ms, and ${Math.round(usualMs)} ms before`)
  for (const { address } of facts.nameservers)
    assert.deepEqual((await askUdp(address, `after-kill.${zone}`, 'A')).answers, ['192.0.2.9'])
})

test('kill -9 of each api, worker and primary in turn loses no accepted change and no event', async (t) => {
  // From here on, the first of each kind is also a separate process.
  await world.programs.service.stop()
  const [api, worker, primary] = others
  const [otherApi, otherWorker, otherPrimary] = await Promise.all([
    world.alsoRun('api', {}),
    world.alsoRun('worker', {}),
    world.alsoRun('primary', {}),
  ])
  const pairs = { api: [otherApi, api], worker: [otherWorker, worker], primary: [otherPrimary, primary] }
  const clock = new VirtualClock({ databaseUrl: world.ownerUrl })
  const before = (await received.requests()).at(-1)?.number ?? 0
  // The receiver forgets old requests.
  const requests = new Map<number, ReceivedRequest>()
  const since = async (): Promise<ReceivedRequest[]> => {
    for (const request of await received.requests()) if (request.number > before) requests.set(request.number, request)
    return [...requests.values()]
  }
  // More events come than it accepts, so the worker that has the lane always has a delivery in progress.
  await received.behave({ delayMs: 100 })
  const clients = startClients()
  t.after(() => clients.stop())
  for (const [kind, pair] of Object.entries(pairs))
    for (const victim of pair) {
      const [acceptedBefore, failedBefore, receivedBefore] = [
        clients.accepted.size,
        clients.failed.length,
        (await since()).length,
      ]
      await eventually('changes are accepted', async () => clients.accepted.size > acceptedBefore + 5)
      const { pid = 0 } = victim
      process.kill(pid, 'SIGKILL')
      // Work of a killed worker is repeated after its lease of 30 s has expired.
      if (kind === 'worker') await clock.pass(35)
      await eventually('it is started again', async () => victim.pid !== pid)
      await victim.ready()
      await eventually('both APIs take requests', async () => clients.ready.size === 2)
      await eventually('changes are accepted', async () => clients.accepted.size > acceptedBefore + 10)
      await clock.until('events are received', async () => (await since()).length > receivedBefore + 5)
      if (kind !== 'api') assert.equal(clients.failed.length, failedBefore, `a request failed for want of a ${kind}`)
    }
  await received.behave({})
  const { accepted, failed } = await clients.stop()
  for (const each of failed) assert.match(each, / TypeError: (fetch failed|terminated)/, 'its API was killed')
  const serials = await clock.until('every change is received', async () => {
    const seen = new Set((await since()).map(({ body }) => JSON.parse(body).data.serial as number))
    return [...accepted.keys()].every((serial) => seen.has(serial)) && [...seen]
  })
  assert.deepEqual(
    serials,
    serials.toSorted((one, other) => one - other),
    'the first of each in the order of their serials',
  )
  for (const { address } of facts.nameservers)
    for (const name of clients.names) await untilAnswered(address, `${name}.${zone}`, 'A', '192.0.2.1')
})

async function leads(url: string): Promise<boolean> {
  const answer = await fetch(url)
  return (await answer.text()).includes('zonewright_nameserver_lag_seconds{')
}

/** The first process to request the lease leads. The other one stands by only if it comes later. */
async function letTheFirstLead(): Promise<void> {
  const [, , standby] = others
  await standby.stop()
  await eventually('the first leads', () => leads(figures.first))
  await standby.restart()
}

/** The longest time without an event while an accepted change waited. Events come one at a time, as fast as the machine allows. */
function longestPauseMs(requests: readonly ReceivedRequest[], accepted: ReadonlyMap<number, number>): number {
  let previousAt = 0
  const pauses = requests.map(({ at, body }) => {
    const waitsSince = Math.max(accepted.get(JSON.parse(body).data.serial) ?? Number.NaN, previousAt)
    previousAt = Date.parse(at)
    return previousAt - waitsSince
  })
  return Math.max(...pauses)
}

let runs = 0

/**
 * Clients behind a load balancer: four of them change records without a pause, and each request goes to the next API that has recently reported that
 * it is ready. Each creates a new name, because a PUT of existing data is not a change.
 */
function startClients() {
  const run = ++runs
  /** When each serial was accepted. */
  const accepted = new Map<number, number>()
  const names: string[] = []
  const failed: string[] = []
  const ready = new Set(bases)
  const answeredBy = new Set<string>()
  const end = new AbortController()
  let sent = 0

  const watch = async (): Promise<void> => {
    while (!end.signal.aborted) {
      for (const base of bases) {
        const isReady = await fetch(`${base}/readyz`).then(
          (answer) => answer.ok,
          () => false,
        )
        if (isReady) ready.add(base)
        else ready.delete(base)
      }
      await delay(100)
    }
  }
  const change = async (client: number): Promise<void> => {
    while (!end.signal.aborted) {
      const base = [...ready][sent++ % ready.size] ?? 'http://nobody.invalid'
      const name = `run${run}-c${client}-${sent}`
      try {
        const api = new Api(base, [keys[sent % keys.length] ?? ''])
        const { headers } = await api.put(zone, name, 'A', ['192.0.2.1'])
        accepted.set(Number(headers.get('zone-serial')), Date.now())
        names.push(name)
        answeredBy.add(base)
      } catch (error) {
        failed.push(`${name} at ${base}: ${error} ${(error as Error).cause ?? ''}`)
      }
      await delay(200)
    }
  }
  const running = [watch(), ...[1, 2, 3, 4].map(change)]
  return {
    accepted,
    failed,
    names,
    ready,
    answeredBy,
    stop: async () => {
      end.abort()
      await Promise.all(running)
      return { accepted, failed }
    },
  }
}

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { giveSecret } from '../../tools/local/installation.ts'
import { Api, askTcp, askUdp, cards, eventually, Shopper, type World } from '../world/index.ts'
import { AcceptedEvents } from './accepted-events.ts'
import { dashboardVisits } from './dashboard-visits.ts'

/** How often each zone changes, and how many there are: 30 changes a second. */
const changeEveryMs = 667
const zones = Array.from({ length: 20 }, (_, i) => `mixed-${i}.test`)
/** Names of each zone, by the requests that write them: single PUTs, a bulk PATCH, or an import. All names of one request get the same address. */
const written = { put: namesOf('p', 10), bulk: namesOf('b', 10), import: namesOf('i', 50) }
const allNames = Object.values(written).flat()
/** A key may make 300 requests a minute. */
const keyCount = 40
/** One receiver answers with an error, or not at all, for this long in each period. Retries come a minute later, when it answers again. */
const failing = { everyMs: 180_000, forMs: 15_000 }

/** The timed operations. A plain request goes to a server outside the installation, and shows how fast the machine currently is. */
type Kind = 'PUT' | 'GET' | 'UDP' | 'TCP' | 'plain'
/** In milliseconds. */
type Durations = Readonly<Record<Kind, number[]>>

const noDurations = (): Durations => ({ PUT: [], GET: [], UDP: [], TCP: [], plain: [] })

function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`)
}

/** The number of writes that the zone has had, as an address. */
const addressOf = (turn: number): string => `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}`
function turnOf(address: string | undefined): number {
  const [, a, b, c] = /^10\.(\d+)\.(\d+)\.(\d+)$/.exec(address ?? '') ?? []
  return (Number(a) << 16) + (Number(b) << 8) + Number(c)
}

/**
 * Customers and resolvers that use all parts of an installation at a steady rate, until they are stopped.
 *
 * They rewrite the same names, and delete what they create. Only data that the service keeps on purpose grows, such as the history.
 */
export async function startMixedLoad(world: World) {
  const { facts, received } = world
  const { email } = facts.account
  const nameservers = facts.nameservers.map(({ address }) => address)
  await world.admin('zone', 'add', email, ...zones)
  const made = await world.admin('key', 'create', email, 'mixed', '--copies', String(keyCount))
  const api = new Api(
    facts.base_url,
    (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret),
  )
  const flakyUrl = new URL('flaky', facts.receiver_url).href
  const flaky = await api.call<{ id: string; secret: string }>('POST', '/webhooks', { url: flakyUrl })
  await giveSecret(facts.receiver_log_url, 'flaky', flaky.body.secret)

  const events = new AcceptedEvents(received, 'demo', ['flaky'])

  const end = new AbortController()
  const failed: string[] = []
  const counts = { changes: 0, reads: 0, queries: 0, visits: 0, orders: 0 }
  let durations = noDurations()
  /** Does it at even intervals. Failures are recorded, and not repeated. */
  const repeat = async (what: string, everyMs: number, act: (turn: number) => Promise<unknown>) => {
    let nextMs = performance.now() + randomInt(Math.min(everyMs, 10_000))
    for (let turn = 0; ; turn++) {
      await delay(Math.max(0, nextMs - performance.now()), undefined, end).catch(() => undefined)
      if (end.signal.aborted) return
      await act(turn).catch((error: Error) => failed.push(`${new Date().toISOString()} ${what}: ${error.message}`))
      nextMs = Math.max(nextMs + everyMs, performance.now())
    }
  }
  const timed = async <T>(kind: Kind, act: () => Promise<T>): Promise<T> => {
    const beganMs = performance.now()
    const result = await act()
    durations[kind].push(performance.now() - beganMs)
    return result
  }
  const expected = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await api.call(method, path, body)
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }

  /** By `name.zone`: the turn of the latest write that was sent, and of the latest that was accepted. */
  const sent = new Map<string, number>()
  const accepted = new Map<string, number>()
  /** The zone and serial of each accepted change. */
  const changes = new Set<string>()
  /** Records what `send` writes: an address to names of a zone, or to none of those that are compared. */
  const write = async (
    zone: string,
    names: readonly string[],
    turn: number,
    send: () => Promise<{ headers: Headers }>,
  ) => {
    for (const name of names) sent.set(`${name}.${zone}`, turn)
    const { headers } = await send()
    for (const name of names) accepted.set(`${name}.${zone}`, turn)
    changes.add(`${zone} ${headers.get('zone-serial')}`)
    counts.changes++
  }
  const importText = (names: readonly string[], turn: number): string =>
    names.map((name) => `${name} 60 IN A ${addressOf(turn)}\n`).join('')
  const change = (zone: string) => async (turn: number) => {
    const at = `/zones/${zone}/rrsets`
    const value = turn + 1
    const rrset = { ttl: 60, records: [addressOf(value)] }
    const noted = (names: readonly string[], status: number, method: string, path: string, body?: unknown) =>
      write(zone, names, value, () => expected(status, method, path, body))
    switch (turn % 20) {
      case 2:
      case 12:
        return await noted([], 200, 'PATCH', `${at}/many/A`, { add: ['192.0.2.2'] })
      case 6:
      case 16:
        return await noted([], 200, 'PATCH', `${at}/many/A`, { remove: ['192.0.2.2'] })
      case 4:
      case 14:
        return await noted([], 201, 'POST', at, { name: 'moment', type: 'TXT', ttl: 60, records: ['"here"'] })
      case 8:
      case 18:
        return await noted([], 204, 'DELETE', `${at}/moment/TXT`)
      case 9: {
        const changes = written.bulk.map((name) => ({ name, type: 'A', ...rrset }))
        return await noted(written.bulk, 200, 'PATCH', at, { changes })
      }
      case 19:
        return await noted(written.import, 200, 'POST', `/zones/${zone}/import`, importText(written.import, value))
      default: {
        const name = written.put[Math.floor(turn / 2) % written.put.length] ?? ''
        return await timed('PUT', () => noted([name], 200, 'PUT', `${at}/${name}/A`, rrset))
      }
    }
  }

  const anyZone = (): string => zones[randomInt(zones.length)] ?? ''
  const anyName = (zone: string): string => `${allNames[randomInt(allNames.length)]}.${zone}`
  /** Fails unless the value was sent, and is not older than `atLeast`. Returns its turn. */
  const assertTurn = (where: string, name: string, address: string | undefined, atLeast: number): number => {
    const turn = turnOf(address)
    const isRight = turn >= atLeast && turn <= (sent.get(name) ?? 0)
    assert.ok(isRight, `${where} has ${name} ${address}, which is not between ${atLeast} and ${sent.get(name)}`)
    return turn
  }
  const readOne = async () => {
    const zone = anyZone()
    const name = anyName(zone)
    const atLeast = accepted.get(name) ?? 0
    const path = `/zones/${zone}/rrsets/${name.slice(0, name.indexOf('.'))}/A`
    const { body } = await timed('GET', () => expected(200, 'GET', path))
    counts.reads++
    assertTurn('the API', name, (body['records'] as string[])[0], atLeast)
  }
  const lists: readonly ((zone: string) => string)[] = [
    () => '/zones?limit=50',
    (zone) => `/zones?q=${zone.slice(0, 6)}`,
    () => `/zones?owns_name=p1.${anyZone()}`,
    (zone) => `/zones/${zone}`,
    (zone) => `/zones/${zone}/rrsets?limit=100`,
    (zone) => `/zones/${zone}/rrsets?q=10.0`,
    (zone) => `/zones/${zone}/versions?limit=50`,
    (zone) => `/zones/${zone}/versions/1/diff`,
    (zone) => `/zones/${zone}/export`,
    (zone) => `/zones/${zone}/propagation`,
    () => '/webhooks/events?limit=50',
    () => `/webhooks/${flaky.body.id}/deliveries?limit=50`,
  ]
  const readList = async (turn: number) => {
    await expected(200, 'GET', lists[turn % lists.length]?.(anyZone()) ?? '')
    counts.reads++
  }
  const resolve = (address: string, kind: 'UDP' | 'TCP') => {
    const seen = new Map<string, number>()
    return async () => {
      const name = anyName(anyZone())
      const ask = kind === 'UDP' ? askUdp : askTcp
      const { answers } = await timed(kind, () => ask(address, name, 'A'))
      counts.queries++
      seen.set(name, assertTurn(address, name, answers[0], seen.get(name) ?? 0))
    }
  }

  const visit = dashboardVisits(world)
  const shopper = await Shopper.at(world)
  const buy = async (turn: number) => {
    const { id } = await shopper.order(`order-${turn}.test`)
    if (turn % 2 === 0) {
      await shopper.pay(id, cards.success)
      await shopper.until(id, 'completed')
    } else await expected(200, 'POST', `/orders/${id}/cancel`)
    counts.orders++
  }
  const fail = async (turn: number) => {
    await received.behave(turn % 2 === 0 ? { status: 500 } : { reset: true }, 'flaky')
    await delay(failing.forMs, undefined, end).catch(() => undefined)
    await received.behave({}, 'flaky')
  }

  // Every name exists from the beginning on.
  for (const zone of zones) {
    const text = `${importText(allNames, 0)}many 60 IN A 192.0.2.1\n`
    await write(zone, allNames, 0, () => expected(200, 'POST', `/zones/${zone}/import`, text))
    await events.collect()
  }
  /** Waits until every nameserver has the latest write of every name. */
  const untilAllServed = async () => {
    for (const address of nameservers)
      for (const [name, turn] of accepted)
        await eventually(`${address} has ${name} ${addressOf(turn)}`, async () => {
          const { answers } = await askUdp(address, name, 'A')
          return answers[0] === addressOf(turn)
        })
  }
  await untilAllServed()

  const running = [
    ...zones.map((zone) => repeat(`change of ${zone}`, changeEveryMs, change(zone))),
    ...[1, 2].map(() => repeat('read', 200, readOne)),
    repeat('list', 200, readList),
    repeat('plain request', 100, () => timed('plain', () => world.mailbox.list({ to: 'nobody@example.net' }))),
    ...nameservers.flatMap((address) => [
      repeat('query', 50, resolve(address, 'UDP')),
      repeat('query', 200, resolve(address, 'TCP')),
    ]),
    repeat('visit', 60_000, async (turn) => {
      await visit(turn)
      counts.visits++
    }),
    repeat('order', 200_000, buy),
    repeat('receiver', failing.everyMs, fail),
    repeat('collect', 500, () => events.collect()),
  ]
  return {
    /** Requests that failed, wrong answers, and unexpected events. */
    failed: () => [...failed, ...events.faults],
    counts: () => ({ ...counts, ...events.counts }),
    /** The durations since the last call. */
    takeDurations: (): Durations => {
      const taken = durations
      durations = noDurations()
      return taken
    },
    /** Ends the load. */
    stop: async () => {
      end.abort()
      await Promise.all(running)
    },
    /** Waits until both nameservers have the latest write of every name, and every event is accepted by both receivers. */
    untilComplete: async () => {
      await untilAllServed()
      await eventually(
        'every event is received',
        async () => {
          await events.collect()
          return events.hasAll(changes)
        },
        300_000,
      )
    },
  }
}

import type { Figure } from '../report.ts'
import { type HooksWorld, startHooksWorld, waitUntil } from './hooks-world.ts'
import type { Committed } from './publisher.ts'

const kills = 50
const load = { endpoints: 200, perSecond: 100 }
/** The processes that deliver: the service with its API, worker and primary, and a second worker. */
const victims = ['service', 'worker', 'service', 'worker', 'postgres', 'ns1', 'ns2'] as const
/** Leases of killed workers last 30 s. Their deliveries are sent after that. */
const patienceS = 180

/** Kills a random process, fifty times, at random moments under load: no event is lost, and their order is kept. */
export async function webhooksCrash(): Promise<Figure[]> {
  const hooks = await startHooksWorld({ hosts: 50 })
  try {
    const accounts = await hooks.addAccounts(load.endpoints)
    const worker = await hooks.world.alsoRun('worker', {})
    const processes = { ...hooks.world.programs, worker, postgres: hooks.world.postgres }
    const traffic = new Load(hooks, accounts)
    for (let killed = 0; killed < kills; ) {
      await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 2_000))
      const victim = victims[Math.floor(Math.random() * victims.length)] ?? 'service'
      if (isKilled(processes[victim]?.pid)) killed += 1
    }
    const committed = await traffic.stop()
    const lost = await missing(hooks, committed)
    const count = committed.length
    return [
      figure(`of ${count} events under ${kills} kill -9s, lost`, lost),
      figure('of these, first attempts out of their endpoint’s order', await outOfOrder(hooks, committed)),
      { name: 'requests for each event', value: hooks.received.length / count, unit: '', samples: [] },
    ]
  } finally {
    await hooks.stop()
  }
}

/** False: the process has ended and will be restarted soon. */
function isKilled(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function figure(name: string, value: number): Figure {
  return { name, unit: '', value, bar: { kind: 'at most', value: 0 }, samples: [value] }
}

/** Creates events continuously. A failed commit creates no event; one without a response may have created one. */
class Load {
  readonly #committed: Committed[] = []
  readonly #running: Promise<void>
  #stopped = false

  constructor({ publisher }: HooksWorld, accounts: readonly string[]) {
    this.#running = this.#run(publisher, accounts)
  }

  async stop(): Promise<Committed[]> {
    this.#stopped = true
    await this.#running
    return this.#committed
  }

  async #run(publisher: HooksWorld['publisher'], accounts: readonly string[]): Promise<void> {
    const sent = new Set<Promise<void>>()
    for (let i = 0; !this.#stopped; i += 1) {
      const one = publisher.publish([accounts[i % accounts.length] ?? '']).then(
        (events) => void this.#committed.push(...events),
        () => undefined,
      )
      sent.add(one)
      void one.then(() => sent.delete(one))
      await new Promise((resolve) => setTimeout(resolve, 1_000 / load.perSecond))
    }
    await Promise.all(sent)
  }
}

async function missing({ received }: HooksWorld, committed: readonly Committed[]): Promise<number> {
  const lost = (): number => {
    const ids = new Set(received.map(([, id]) => id))
    return committed.filter(({ id }) => !ids.has(id)).length
  }
  await waitUntil('every event is received', () => lost() === 0, patienceS).catch(() => undefined)
  return lost()
}

/** For each endpoint, the number of events that arrived for the first time after a later event. */
async function outOfOrder({ publisher, received }: HooksWorld, committed: readonly Committed[]): Promise<number> {
  const rows = await publisher.query<{ id: string; position: string }>('select id, position from events')
  const positions = new Map(rows.map(({ id, position }) => [id, Number(position)]))
  const ours = new Set(committed.map(({ id }) => id))
  const seen = new Set<string>()
  const last = new Map<number, number>()
  let wrong = 0
  for (const [endpoint, id] of received) {
    if (seen.has(id)) continue
    seen.add(id)
    const position = positions.get(id) ?? Number.NaN
    if (ours.has(id) && !(position > (last.get(endpoint) ?? 0))) wrong += 1
    last.set(endpoint, position)
  }
  return wrong
}

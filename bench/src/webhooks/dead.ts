import { type Figure, median } from '../report.ts'
import { startHooksWorld } from './hooks-world.ts'
import { measureLatencies } from './latency.ts'

const rounds = 3
const healthy = { endpoints: 500, perSecond: 200, seconds: 10 }
/** Half of them never respond, and the other half refuse connections. Each gets as many events as a healthy one. */
const dead = { endpoints: 200, perSecond: 80 }

/** The effect of two hundred dead endpoints on five hundred healthy ones. */
export async function webhooksDead(): Promise<Figure[]> {
  const hooks = await startHooksWorld({ hosts: 100 })
  try {
    const accounts = await hooks.addAccounts(healthy.endpoints)
    await measureLatencies(hooks, accounts, { ...healthy, seconds: 8 }) // warm up
    const alone = []
    for (let round = 0; round < rounds; round++) alone.push(await measureLatencies(hooks, accounts, healthy))
    const deadAccounts = [
      ...(await hooks.addAccounts(dead.endpoints / 2, { kind: 'hang' })),
      ...(await hooks.addAccounts(dead.endpoints / 2, { kind: 'closed' })),
    ]
    const seconds = rounds * healthy.seconds + 20
    const dying = hooks.publisher.steadily(deadAccounts, { ...dead, seconds })
    await measureLatencies(hooks, accounts, { ...healthy, seconds: 5 }) // skip the first seconds after they died
    const beside = []
    for (let round = 0; round < rounds; round++) beside.push(await measureLatencies(hooks, accounts, healthy))
    await dying
    const [p95Alone, p95s] = [median(alone.map(({ p95Ms }) => p95Ms)), beside.map(({ p95Ms }) => p95Ms)]
    const value = median(p95s)
    return [
      {
        name: `${healthy.endpoints} healthy endpoints beside ${dead.endpoints} dead ones, p95`,
        unit: 'ms',
        value,
        bar: { kind: 'at most', value: 1.5, against: 'without these' },
        beside: [{ name: 'without these', value: p95Alone, ratio: value / p95Alone }],
        samples: p95s,
      },
    ]
  } finally {
    await hooks.stop()
  }
}

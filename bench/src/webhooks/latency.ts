import { percentile } from '../report.ts'
import { type HooksWorld, waitUntil } from './hooks-world.ts'

export interface Latencies {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly count: number
}

/**
 * The time from the commit of each event until its receiver had it, with this many events per second, each for an endpoint of one of these
 * accounts.
 */
export async function measureLatencies(
  hooks: HooksWorld,
  accounts: readonly string[],
  load: { perSecond: number; seconds: number },
): Promise<Latencies> {
  const { publisher, received } = hooks
  const start = received.length
  const committed = await publisher.steadily(accounts, load)
  const firstAt = new Map<string, number>()
  let read = start
  await waitUntil(
    'every event is received',
    () => {
      for (; read < received.length; read += 1) {
        const [, id, atMs] = received[read] ?? [0, '', 0]
        if (!firstAt.has(id)) firstAt.set(id, atMs)
      }
      return committed.every(({ id }) => firstAt.has(id))
    },
    60,
  )
  const latencies = committed.map(({ id, atMs }) => (firstAt.get(id) ?? Number.NaN) - atMs)
  return { p50Ms: percentile(latencies, 0.5), p95Ms: percentile(latencies, 0.95), count: latencies.length }
}

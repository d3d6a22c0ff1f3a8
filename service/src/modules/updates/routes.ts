import { updateRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { Refusal } from '#platform/errors.ts'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { Logger } from '#platform/log.ts'
import { UpdateStreams, type UpdateTimes } from './update-streams.ts'

/** Mounts `GET /updates`. `times`: the shorter ones of tests. */
export function mountUpdateRoutes(
  server: HttpServer,
  { log, metrics, times }: { log: Logger; metrics: Metrics; times?: UpdateTimes | undefined },
): void {
  const streams = new UpdateStreams(server.database.db, log, times)
  metrics.gauge({
    name: 'zonewright_update_streams',
    help: 'Open streams of updates (GET /updates).',
    collect() {
      this.set(streams.count)
    },
  })
  // The dashboards switch to another process when the drain begins. Without a drain, a server that closes would wait for its streams.
  server.leaving.addEventListener('abort', () => streams.end())
  server.fastify.addHook('preClose', async () => streams.end())

  server.mount(updateRoutes.followUpdates, async ({ caller }) => {
    if (caller.kind !== 'session') throw new Refusal('forbidden', 'API keys cannot do this. Use the dashboard.')
    return {
      status: 200,
      type: 'text/event-stream',
      // nginx would buffer hints until there are many.
      headers: { 'x-accel-buffering': 'no' },
      body: await streams.open(caller),
    }
  })
}

// The same work behind two routes: for anyone, and for keys that have a permission and cover the zone. The extra duration of the second is
// the cost of identifying the caller. Prints `ready` and its address; DATABASE_URL is an installation's.
import { randomBytes } from 'node:crypto'
import { route } from '@zonewright/contract'
import { z } from 'zod'
import type { Call } from '#http/call.ts'
import { createHttpServer } from '#http/create-server.ts'
import { authentication } from '#modules/api-keys/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { openDatabase, sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { runProcess } from '#platform/work/process-life.ts'

const shape = {
  method: 'GET',
  summary: 'Read the name of a key',
  params: z.object({ zone: z.string(), id: z.string() }),
  answers: { 200: z.object({ name: z.string() }) },
} as const

const forKeys = route({
  id: 'workForKeys',
  path: '/zones/{zone}/for-keys/{id}',
  who: ['records:read'],
  wholeZone: false,
  ...shape,
})
const forAnybody = route({ id: 'workForAnybody', path: '/zones/{zone}/for-anybody/{id}', who: 'public', ...shape })

await runProcess(async () => {
  const database = openDatabase(process.env['DATABASE_URL'] ?? '', { application: 'zonewright same work' })
  const server = createHttpServer({
    database,
    authenticate: authentication(database, async () => undefined),
    secrets: new SecretBox(randomBytes(32)),
    log: createLogger('same work', 'error'),
    metrics: createMetrics(),
  })
  const work = async ({ params: { id } }: Pick<Call<typeof forKeys>, 'params'>) => {
    const { rows } = await sql<{ name: string }>`select name from api_keys where id = ${id}`.execute(database.db)
    return { status: 200 as const, body: { name: rows[0]?.name ?? '' } }
  }
  server.mount(forKeys, work)
  server.mount(forAnybody, work)
  const address = await server.fastify.listen({ host: '127.0.0.1', port: 0 })
  process.stdout.write(`ready ${address}\n`)
  return {
    stop: async () => {
      await server.fastify.close()
      await database.close()
    },
  }
})

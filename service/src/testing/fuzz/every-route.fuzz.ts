// Sends requests of every shape to every route. None may be a 500, end its connection without a response, block the process, or be refused
// with more than 64 KiB. FUZZ_SEED repeats a run, FUZZ_CASES is the number of requests per route, FUZZ_ROUTE selects routes by id.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { authRoutes } from '#modules/accounts/auth-routes.ts'
import type { FuzzedCase, FuzzJob } from './client-program.ts'
import { startFuzzWorld } from './fuzz-world.ts'
import { type Block, LoopWatch } from './loop-watch.ts'
import { contractTargets, otherTargets } from './targets.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const count = Number(process.env['FUZZ_CASES'] ?? 200)
const chosen = process.env['FUZZ_ROUTE']
/** No request may hold the event loop for longer, beyond the time that its JSON takes to parse (at most 1 MiB of it). */
const maxBlockMs = 50

process.stdout.write(`FUZZ_SEED=${seed} FUZZ_CASES=${count}\n`)

const world = await startFuzzWorld()
const { fastify } = world.api.server
await fastify.listen({ host: '127.0.0.1', port: 0 })
const { port } = fastify.server.address() as AddressInfo
const client = fork(fileURLToPath(new URL('client-program.ts', import.meta.url)), { serialization: 'advanced' })
const watch = new LoopWatch(maxBlockMs)
after(() => {
  watch.stop()
  client.kill()
})

let total = 0
const byStatus: Record<string, number> = {}

for (const target of [...contractTargets(), ...otherTargets(authRoutes)].filter(({ id }) => id.includes(chosen ?? '')))
  test(`${target.id} answers any request correctly`, async () => {
    if (!target.isNowhere) {
      const { status, body } = await world.sendValid(target)
      assert.ok(status < 400, `a valid request got ${status} ${JSON.stringify(body)}`)
    }
    const { facts, callers } = await world.prepare(target)
    const job = { port, seed, count, target, facts, callers }
    watch.take()
    const cases = await run(job)
    const blocks = watch.take()
    total += cases.length
    for (const { status } of cases) byStatus[status] = (byStatus[status] ?? 0) + 1
    const faults = cases.flatMap(({ index, fault, request }) =>
      fault === undefined ? [] : [`case ${index}: ${fault}\n  ${request}`],
    )
    faults.push(...(await blockers(job, cases, blocks)))
    for (const fault of faults) process.stdout.write(`${target.id} ${fault}\n`)
    assert.deepEqual(faults, [], `FUZZ_SEED=${seed} FUZZ_CASES=${count} FUZZ_ROUTE='${target.id}'`)
  })

test('all requests were sent', () => {
  process.stdout.write(`${total} requests: ${JSON.stringify(byStatus)}\n`)
  assert.ok(total >= count)
})

async function run(job: FuzzJob): Promise<FuzzedCase[]> {
  const answered = once(client, 'message')
  client.send(job)
  const [answer] = (await answered) as [{ cases?: FuzzedCase[]; failed?: string }]
  return answer.cases ?? assert.fail(answer.failed ?? 'the client failed')
}

/**
 * The requests that block the event loop. Requests that were in flight during a block are sent again several times, alone: garbage
 * collection or another request's work does not recur each time.
 */
async function blockers(job: FuzzJob, cases: readonly FuzzedCase[], blocks: readonly Block[]): Promise<string[]> {
  const suspects = cases.filter((one) => blocks.some((block) => overlap(one, block)))
  if (suspects.length === 0) return []
  watch.take()
  const again = await run({ ...job, again: suspects.map(({ index }) => index) })
  const seen = watch.take()
  return suspects.flatMap(({ index }) => {
    const times = again.filter((one) => one.index === index)
    const heldMs = times.map((one) =>
      Math.max(0, ...seen.filter((block) => overlap(one, block)).map(({ cpuMs }) => cpuMs)),
    )
    const least = Math.min(...heldMs)
    const [{ parseMs, request } = { parseMs: 0, request: '' }] = times
    return least > maxBlockMs + parseMs
      ? [`case ${index} holds the event loop for ${Math.round(least)} ms\n  ${request}`]
      : []
  })
}

function overlap(one: FuzzedCase, { fromMs, toMs }: Block): boolean {
  return one.beganMs < toMs && one.endedMs > fromMs
}

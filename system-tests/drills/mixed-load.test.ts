// An hour of mixed load: nothing grows beyond a steady state, no request fails, no answer is wrong, every event arrives once and in order.
// DRILL_MINUTES sets how long the load lasts, at least 20: a quarter must be longer than the failure of a receiver and its retry.
// With KEEP_WORLD=1, footprint.json in the folder of the world has every sample.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../tools/local/addresses.ts'
import { Program } from '../../tools/local/process.ts'
import { judge, verdictTable } from '../../tools/local/steady-state.ts'
import { worldForTests } from '../world/index.ts'
import { Footprint, type Measured } from './footprint.ts'
import { startMixedLoad } from './mixed-load.ts'

const minutes = Number(process.env['DRILL_MINUTES'] ?? 60)
assert.ok(minutes >= 20, `DRILL_MINUTES=${minutes} is less than 20`)
/** Once a minute in an hour-long run. */
const samples = 60
const readingsPerSample = 12
const sampleMs = (minutes * 60_000) / samples

const world = await worldForTests({ ownPostgres: true })
const { programs, dataDir } = world
await Promise.all([programs.service, programs.ns1, programs.ns2].map((each) => each.stop()))
const processes: (Measured & { readonly program: Program })[] = []
for (const part of ['api', 'worker', 'primary'] as const) {
  const metrics = `127.0.0.1:${await freePort()}`
  const program = await world.alsoRun(part, { METRICS_LISTEN: metrics })
  processes.push({ name: part, program, metrics, pid: () => program.pid, log: program.spec.logFile })
}
for (const name of ['ns1', 'ns2'] as const) {
  const metrics = `127.0.0.1:${await freePort()}`
  const { spec } = programs[name]
  const program = new Program({ ...spec, args: [...spec.args, '--metrics', metrics] })
  after(() => program.stop())
  await program.start()
  const store = join(dataDir, name)
  processes.push({ name, program, metrics, pid: () => program.pid, log: spec.logFile, store })
}
const pids = processes.map(({ pid }) => pid())

/**
 * Latency is judged in plain requests, which other work on the machine slows down as well. The median of PUT also depends on the disk, unlike a
 * plain request.
 */
const slower = (amount: number) => ({ by: 'median', margin: { share: 2, amount } }) as const

test('under a steady mixed load, nothing grows, no request fails, no answer is wrong, every event is received once and in order', async (t) => {
  const load = await startMixedLoad(world)
  t.after(() => load.stop())
  const footprint = await Footprint.of(processes, world.ownerUrl)
  t.after(() => footprint.close())
  const beganMs = performance.now()
  for (let sample = 1; sample <= samples; sample++) {
    for (let part = readingsPerSample - 1; part >= 0; part--) {
      await delay(Math.max(0, beganMs + (sample - part / readingsPerSample) * sampleMs - performance.now()))
      await footprint.readMemory()
    }
    await footprint.measure()
    const durations = load.takeDurations()
    const said: string[] = []
    for (const share of [0.5, 0.99]) {
      const plainMs = percentile(durations.plain, share)
      for (const kind of ['PUT', 'GET', 'UDP', 'TCP'] as const) {
        const ms = percentile(durations[kind], share)
        footprint.note(`${kind}: p${share * 100}`, 'plain requests', slower(kind === 'PUT' ? 20 : 2), ms / plainMs)
        said.push(`${kind} p${share * 100} ${ms.toFixed(1)} ms`)
      }
    }
    writeFileSync(join(dataDir, 'footprint.json'), JSON.stringify(footprint.series))
    if (sample % (samples / 4) === 0)
      t.diagnostic(
        `quarter ${sample / (samples / 4)}: ${JSON.stringify(load.counts())}, ${load.failed().length} failed; at its end: ${said.join(', ')}`,
      )
  }
  await load.stop()
  const verdicts = footprint.series.map(judge)
  const changed = verdicts.filter(({ name, second, last }) => !name.startsWith('rows of ') || second !== last)
  t.diagnostic(`\n${verdictTable(changed)}\nThe rows of ${verdicts.length - changed.length} other tables: unchanged`)
  assert.deepEqual(load.failed(), [])
  await load.untilComplete()
  t.diagnostic(`${JSON.stringify(load.counts())}, ${load.failed().length} failed`)
  assert.deepEqual(load.failed(), [])
  assert.deepEqual(
    verdicts.filter(({ isSteady }) => !isSteady).map(({ name }) => name),
    [],
    'these grow',
  )
  assert.deepEqual(
    processes.map(({ pid }) => pid()),
    pids,
    'no process was restarted',
  )
  for (const { name, log } of processes)
    assert.doesNotMatch(readFileSync(log, 'utf8'), /"level":(50|60|"error")/, `the log of ${name}`)
})

/** The smallest value that at least this share of the values does not exceed. */
function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN
}

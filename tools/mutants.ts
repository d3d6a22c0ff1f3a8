// `npm run mutants`: changes the program in one place at a time, as the lists in tools/mutants say, and checks that the tests notice each
// change. Every change is made in a copy of this checkout. Exits with 1 if the tests notice too few changes, if an unnoticed change has no
// explanation, if a noticed change has one, or if a list is out of date.
//
// Arguments are names of lists or ids of changes: `npm run mutants -- webhooks`. `--at-once=N` makes N changes at a time, each in its own
// copy. By default, N is the number of processors.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runToFirstFailure, type TestEnd } from './local/first-failure.ts'
import { ImportGraph } from './local/import-graph.ts'
import { changedText, faultOf, type Judged, type Mutant, readLists, tallyOf, type Verdict } from './local/mutants.ts'
import { needsDatabase } from './local/needs-database.ts'
import { copySource } from './local/source-copy.ts'
import { stopSignal } from './local/test-run.ts'

/** How long the tests of a change may take: this many times as long as without the change, and at least this long. */
const patience = { times: 4, leastMs: 20_000 }
const longestBaselineMs = 240_000
/** After this many runs of tests, the databases that the tests left are dropped. */
const runsBetweenCleanups = 20

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { 'at-once': { type: 'string', default: String(availableParallelism()) } },
  allowPositionals: true,
})
const lists = readLists(join(root, 'tools/mutants'))
const chosen = [...lists].flatMap(([list, mutants]) =>
  mutants.filter(({ id }) => positionals.length === 0 || positionals.includes(list) || positionals.includes(id)),
)
if (chosen.length === 0) {
  process.stderr.write(`No list and no change has such a name. The lists are: ${[...lists.keys()].join(', ')}.\n`)
  process.exit(1)
}
if (!/^[1-9]\d*$/.test(values['at-once'])) {
  process.stderr.write('--at-once must be a whole number of at least 1.\n')
  process.exit(1)
}
const signal = stopSignal()
const graph = new ImportGraph(root)

/** Somewhere to run tests: a copy of the checkout, and a PostgreSQL for those that need one. */
interface Workplace {
  readonly folder: string
  readonly run: (mutant: Mutant, limitMs: number) => Promise<TestEnd>
}

/** How the tests end without a change, by `runOf`. */
const baselines = new Map<string, TestEnd>()
const atOnce = Math.min(Number(values['at-once']), chosen.length)
const isDatabaseNeeded = chosen.some(({ tests }) => needsDatabase(graph, tests))
process.exitCode = (await inWorkplaces(atOnce, checkAll)) ? 0 : 1

async function checkAll(workplaces: readonly Workplace[]): Promise<boolean> {
  const runs = [...new Map(chosen.map((mutant) => [runOf(mutant), mutant])).values()]
  process.stdout.write(`${chosen.length} changes; first ${runs.length} runs of tests without a change\n`)
  await eachIn(workplaces, runs, async (workplace, mutant) => {
    baselines.set(runOf(mutant), await runAgainIfLate(workplace, mutant, longestBaselineMs))
  })
  const judged = await eachIn(workplaces, chosen, async (workplace, mutant): Promise<Judged> => {
    const since = performance.now()
    const each = { mutant, verdict: await judge(workplace, mutant) }
    const seconds = ((performance.now() - since) / 1_000).toFixed(1)
    const by = each.verdict.kind === 'noticed' ? `: ${each.verdict.by}` : ''
    process.stdout.write(`${each.verdict.kind.padEnd(8)} ${seconds.padStart(6)} s  ${mutant.id}${by}\n`)
    return each
  })
  if (signal.aborted) return false
  const { text, isGood } = tallyOf(judged)
  process.stdout.write('\n')
  for (const each of judged) {
    const fault = faultOf(each)
    if (fault !== undefined) process.stdout.write(`${each.mutant.id}: ${fault}\n`)
  }
  process.stdout.write(`${text}\n`)
  return isGood
}

/** Identifies the tests that run for a change. Many changes run the same tests. */
function runOf({ tests, only = '' }: Mutant): string {
  return `${tests.join(' ')} ${only}`.trim()
}

async function judge(workplace: Workplace, mutant: Mutant): Promise<Verdict> {
  const baseline = baselines.get(runOf(mutant))
  if (baseline?.kind !== 'passed') {
    const how = baseline?.kind === 'failed' ? `fail (${baseline.test})` : 'do not end in time'
    return { kind: 'stale', why: `its tests ${how} even without the change` }
  }
  const path = join(workplace.folder, mutant.file)
  if (!existsSync(path)) return { kind: 'stale', why: `there is no ${mutant.file}` }
  const before = readFileSync(path, 'utf8')
  const changed = changedText(mutant, before)
  if ('stale' in changed) return { kind: 'stale', why: changed.stale }
  writeFileSync(path, changed.text)
  try {
    const end = await runAgainIfLate(workplace, mutant, Math.max(patience.leastMs, patience.times * baseline.ms))
    if (end.kind === 'passed') return { kind: 'survived' }
    return { kind: 'noticed', by: end.kind === 'failed' ? end.test : 'the tests did not end' }
  } finally {
    writeFileSync(path, before)
  }
}

/** Runs tests. If they do not end in time, runs them once more, because the machine may have been busy. */
async function runAgainIfLate({ run }: Workplace, mutant: Mutant, limitMs: number): Promise<TestEnd> {
  const end = await run(mutant, limitMs)
  return end.kind === 'late' && !signal.aborted ? run(mutant, limitMs) : end
}

/** Does something with each item, in whichever workplace is free. The results are in the order of the items. */
async function eachIn<Item, Result>(
  workplaces: readonly Workplace[],
  items: readonly Item[],
  work: (workplace: Workplace, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  await Promise.all(
    workplaces.map(async (workplace) => {
      for (const [i, item] of left) {
        if (signal.aborted) return
        results[i] = await work(workplace, item)
      }
    }),
  )
  return results
}

async function inWorkplaces<T>(count: number, work: (workplaces: readonly Workplace[]) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-mutants-'))
  const cached = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  try {
    return await openOne([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }

  async function openOne(open: readonly Workplace[]): Promise<T> {
    if (open.length === count) return work(open)
    const copy = join(folder, String(open.length))
    copySource(root, copy)
    if (!isDatabaseNeeded) {
      const run: Workplace['run'] = (mutant, limitMs) =>
        runToFirstFailure(mutant, { root: copy, env: cached, limitMs, signal })
      return openOne([...open, { folder: copy, run }])
    }
    const { prepareTemplate } = await import('@zonewright/service/test-database')
    const { withTestPostgres } = await import('./local/test-postgres.ts')
    return withTestPostgres(undefined, (server) => {
      const env = { ...cached, ZONEWRIGHT_TEST_POSTGRES: server }
      let runs = 0
      const run: Workplace['run'] = async (mutant, limitMs) => {
        runs += 1
        if (runs % runsBetweenCleanups === 0) await prepareTemplate(server)
        return runToFirstFailure(mutant, { root: copy, env, limitMs, signal })
      }
      return openOne([...open, { folder: copy, run }])
    })
  }
}

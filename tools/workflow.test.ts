import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

// GitHub's own parser imports its schema without the attribute that Node asks for.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context)
    return found.url.endsWith('.json') ? { ...found, importAttributes: { type: 'json' } } : found
  },
})
const { parseWorkflow, NoOperationTraceWriter } = await import('@actions/workflow-parser')

const folder = new URL('../.github/workflows/', import.meta.url)
const workflows = new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]))
/** The command of each workflow's only job. */
const runs = { 'ci.yml': '.ci/run', 'nightly.yml': 'npm run nightly' }

function faultsOf(content: string): string[] {
  const { context } = parseWorkflow({ name: 'ci.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}

test('GitHub accepts every workflow, and each runs its command', () => {
  assert.deepEqual([...workflows.keys()].sort(), Object.keys(runs).sort())
  for (const [name, command] of Object.entries(runs)) {
    const workflow = workflows.get(name) ?? ''
    assert.deepEqual(faultsOf(workflow), [], name)
    assert.deepEqual(
      [...workflow.matchAll(/^ +run: (.*)$/gm)].map(([, run]) => run),
      [command],
      name,
    )
  }
})

for (const [file, right, wrong] of [
  ['ci.yml', 'runs-on:', 'run-on:'],
  ['ci.yml', 'timeout-minutes: 45', 'timeout-minutes: soon'],
  ['ci.yml', 'contents: read', 'contents: all'],
  ['ci.yml', 'pull_request:', 'pull_requests:'],
  ['ci.yml', 'vars.TEST_DATA_REPOSITORY', 'vars.TEST_DATA_REPOSITORY)'],
  ['ci.yml', '        run: .ci/run', '        runs: .ci/run'],
  ['nightly.yml', 'schedule:', 'schedules:'],
  ['nightly.yml', "cron: '30 2 * * *'", "at: '30 2 * * *'"],
  ['nightly.yml', '        run: npm run nightly', '        runs: npm run nightly'],
] as const)
  test(`"${wrong.trim()}" in ${file} is reported`, () => {
    const workflow = workflows.get(file) ?? ''
    assert.ok(workflow.includes(right))
    assert.notDeepEqual(faultsOf(workflow.replace(right, wrong)), [])
  })

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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

const workflow = readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8')

function faultsOf(content: string): string[] {
  const { context } = parseWorkflow({ name: 'ci.yml', content }, new NoOperationTraceWriter())
  return context.errors.getErrors().map(({ message }) => message)
}

test('the workflow of CI is one that GitHub takes, and runs every gate', () => {
  assert.deepEqual(faultsOf(workflow), [])
  assert.match(workflow, /^ +run: \.ci\/run$/m)
})

for (const [right, wrong] of [
  ['runs-on:', 'run-on:'],
  ['timeout-minutes: 45', 'timeout-minutes: soon'],
  ['contents: read', 'contents: all'],
  ['pull_request:', 'pull_requests:'],
  ['vars.TEST_DATA_REPOSITORY', 'vars.TEST_DATA_REPOSITORY)'],
  ['        run: .ci/run', '        runs: .ci/run'],
] as const)
  test(`"${wrong.trim()}" in a workflow is found`, () => {
    assert.ok(workflow.includes(right))
    assert.notDeepEqual(faultsOf(workflow.replace(right, wrong)), [])
  })

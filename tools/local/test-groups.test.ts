import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupTests } from './test-groups.ts'

const plain = `test('it', () => {})\n`

test('test files of the service share a process, six at most, and no others do', () => {
  const ofService = Array.from({ length: 8 }, (_, i) => `service/src/modules/zones/${i}.test.ts`)
  const files = ['packages/dns/src/name.test.ts', ...ofService, 'service/src/platform/ids.test.ts']
  assert.deepEqual(
    groupTests(files, () => plain),
    {
      alone: ['packages/dns/src/name.test.ts', 'service/src/platform/ids.test.ts'],
      together: [ofService.slice(0, 6), ofService.slice(6)],
    },
  )
})

test('a file with hooks for every test, with a mock, or with measurements has a process of its own', () => {
  const sources: Readonly<Record<string, string>> = {
    hook: 'beforeEach(() => server.clear())\n',
    mock: `mock.timers.enable({ apis: ['setTimeout'] })\n`,
    measure: `import { longestTurnMs } from '#testing/longest-turn.ts'\n`,
    environment: `  process.env.HTTPS_PROXY = 'http://127.0.0.1:1'\n`,
    name: `test('a delivery is waiting before(hand), and so is afterEach', () => {})\n`,
  }
  const files = Object.keys(sources).map((name) => `service/src/http/${name}.test.ts`)
  const sourceOf = (file: string): string => sources[/(\w+)\.test\.ts$/.exec(file)?.[1] ?? ''] ?? ''
  const { alone, together } = groupTests(files, sourceOf)
  assert.deepEqual(together, [['service/src/http/name.test.ts']])
  assert.deepEqual(alone, files.slice(0, -1))
})

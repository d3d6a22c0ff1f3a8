import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupTests } from './test-groups.ts'

const plain = `test('it', () => {})\n`

test('up to eight test files of service, packages and dashboard share a process; others run first, each alone', () => {
  const ofService = Array.from({ length: 10 }, (_, i) => `service/src/modules/zones/${i}.test.ts`)
  const light = ['packages/dns/src/name.test.ts', 'dashboard/src/util/time.test.ts']
  const others = ['nameserver/src/address.test.ts', 'tools/locks.test.ts']
  assert.deepEqual(
    groupTests([...ofService, ...others, ...light], () => plain),
    [
      ['nameserver/src/address.test.ts'],
      ['tools/locks.test.ts'],
      ofService.slice(0, 8),
      [...ofService.slice(8), ...light],
    ],
  )
})

test('a file with hooks for every test, with a mock, or with measurements has its own process', () => {
  const sources: Readonly<Record<string, string>> = {
    hook: 'beforeEach(() => server.clear())\n',
    mock: `mock.timers.enable({ apis: ['setTimeout'] })\n`,
    measure: `import { assertBriefTurns } from '#testing/longest-turn.ts'\n`,
    environment: `  process.env.HTTPS_PROXY = 'http://127.0.0.1:1'\n`,
    name: `test('a delivery is waiting before(hand), and so is afterEach', () => {})\n`,
  }
  const files = Object.keys(sources).map((name) => `service/src/http/${name}.test.ts`)
  const sourceOf = (file: string): string => sources[/(\w+)\.test\.ts$/.exec(file)?.[1] ?? ''] ?? ''
  assert.deepEqual(groupTests([...files, 'service/src/http/plain.test.ts'], sourceOf), [
    ...files.slice(0, -1).map((file) => [file]),
    ['service/src/http/name.test.ts', 'service/src/http/plain.test.ts'],
  ])
})

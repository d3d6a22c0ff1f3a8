import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { Gate } from './gates.ts'

const gates = new URL('gates.ts', import.meta.url).href

/** A gate that runs this script. */
function gate(proves: string, script: string, more: Partial<Gate> = {}): Gate {
  return { proves, command: ['--eval', script], ...more }
}

function run(groups: readonly (readonly Gate[])[], bar?: string): { code: number | null; printed: string } {
  const script = `import { runGates } from '${gates}'; await runGates(${JSON.stringify(groups)}, ${JSON.stringify(bar)})`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  return { code: status, printed: stdout }
}

/** The result of each gate, and the total numbers of passed and failed tests. */
function summary(printed: string): string[] {
  return printed
    .slice(printed.lastIndexOf('\n\n', printed.lastIndexOf('\n\n') - 1))
    .trim()
    .split('\n')
    .map((line) => line.replace(/^ *\d+ s {2}/, ''))
}

test('the summary has the result of each gate, the total time with its bar, and the tally of all tests', () => {
  const { code, printed } = run(
    [
      [gate('one', "console.log('1 passed, 0 failed'); console.log('12 passed, 0 failed')")],
      [gate('two', "console.log('conformance: 5 passed, 0 failed')"), gate('three', '')],
    ],
    'the bar is 9 s',
  )
  assert.deepEqual(summary(printed), [
    'ok      one',
    'ok      two',
    'ok      three',
    'in all; the bar is 9 s',
    '',
    '17 passed, 0 failed',
  ])
  assert.equal(code, 0)
})

test('a failed gate does not stop the others, and fails the run, with or without a failed test', () => {
  const { code, printed } = run([
    [gate('fails', 'process.exitCode = 3')],
    [gate('has failed tests', "console.log('4 passed, 2 failed'); process.exitCode = 1")],
    [gate('passes', "console.log('1 passed, 0 failed')")],
  ])
  assert.deepEqual(summary(printed), [
    'FAILED  fails',
    'FAILED  has failed tests',
    'ok      passes',
    'in all',
    '',
    '5 passed, 3 failed',
  ])
  assert.equal(code, 1)
})

test('the summary names the failed tests of a gate, with the place and the error of each', () => {
  const script = `const { test } = require('node:test')
    test('adds numbers (all)', () => { throw new Error('3 is not 4\\n\\n  - and more') })
    test('subtracts', () => require('node:assert').deepEqual([1], [2]))
    test('passes', () => {})`
  const { printed } = run([[gate('tests', script)], [gate('next', '')]])
  assert.match(
    printed,
    /FAILED {2}tests\n {9}✖ adds numbers \(all\) \(\S+:2:\d+\): Error: 3 is not 4 - and more\n {9}✖ subtracts \(\S+:3:\d+\): .*loosely deep-equal: .*\[ 1 \].*\n +\d+ s {2}ok {6}next/,
  )
})

test('the output of each gate of a group is kept together, in the order of the list', () => {
  const slow = "console.log('slow 1'); setTimeout(() => console.log('slow 2'), 300)"
  const { printed } = run([[gate('slow', slow), gate('quick', "console.log('quick 1')")]])
  assert.match(printed, /── slow\nslow 1\nslow 2\nok: slow \(\d+ s\)\n\n── quick\nquick 1\nok: quick/)
})

test('a gate that exceeds its time limit is stopped and fails', () => {
  const endless =
    "process.on('SIGTERM', () => { console.log('told to end'); process.exit(0) }); setInterval(() => {}, 1000)"
  const { code, printed } = run([[gate('endless', endless, { withinMinutes: 0.05 })], [gate('next', '')]])
  assert.match(printed, /It took longer than its limit of 0\.05 minutes, and was ended\.\ntold to end\nFAILED: endless/)
  assert.deepEqual(summary(printed).slice(0, 2), ['FAILED  endless', 'ok      next'])
  assert.equal(code, 1)
})

test('a program that a gate leaves running does not delay the next gates', () => {
  const stays = 'setTimeout(() => {}, 300_000)'
  const leaves = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['--eval', '${stays}'], { stdio: 'inherit' })
    console.log('left', child.pid)
    child.unref()`
  const { code, printed } = run([[gate('leaves', leaves)], [gate('next', '')]])
  process.kill(Number(/^left (\d+)$/m.exec(printed)?.[1]), 'SIGKILL')
  assert.deepEqual(summary(printed).slice(0, 2), ['ok      leaves', 'ok      next'])
  assert.equal(code, 0)
})

test('a gate runs with its own environment', () => {
  const { printed } = run([
    [gate('given', 'console.log("in full:", process.env.NIGHTLY)', { env: { NIGHTLY: 'true' } })],
  ])
  assert.match(printed, /in full: true/)
})

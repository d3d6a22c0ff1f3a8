import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endChild, endOf } from './child-end.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A gate: what it proves, and the command that proves it. */
export interface Gate {
  readonly proves: string
  readonly command: readonly string[]
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>
  /** A gate that takes longer is stopped, and has failed. If left out, there is no limit. */
  readonly withinMinutes?: number
}

interface Result {
  readonly code: number
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  /** The first of its tests that failed, each with its place and the start of its error. */
  readonly failures: readonly string[]
}

/** How many failed tests of a gate the summary lists, how many characters of each, and how many lines of its error. */
const listed = { tests: 20, characters: 500, lines: 6 }

/** The time that a gate that has to end may take to stop its programs. */
const graceMs = 30_000

/**
 * Runs every gate, even after a failed one, and prints the result of each, its failed tests, and the tally of all tests.
 *
 * The gates of a group run in parallel; the output of each is kept together, in the order of the list.
 *
 * @param bar - how long all of them may take, and on which machine; printed next to the time that they took
 */
export async function runGates(groups: readonly (readonly Gate[])[], bar?: string): Promise<void> {
  const began = performance.now()
  const results: Result[] = []
  for (const group of groups) {
    let before: Promise<unknown> = Promise.resolve()
    const running = group.map((gate) => {
      const ended = runGate(gate, before)
      before = ended
      return ended
    })
    results.push(...(await Promise.all(running)))
  }
  const total = (count: (result: Result) => number): number => results.reduce((sum, each) => sum + count(each), 0)
  const failed = total((each) => each.failed)
  const gates = groups.flat()
  process.stdout.write('\n')
  for (const [i, { seconds, code, failures }] of results.entries()) {
    process.stdout.write(`${String(seconds).padStart(5)} s  ${code === 0 ? 'ok    ' : 'FAILED'}  ${gates[i]?.proves}\n`)
    for (const failure of failures) process.stdout.write(`         ✖ ${failure}\n`)
  }
  process.stdout.write(`${String(secondsSince(began)).padStart(5)} s  in all${bar === undefined ? '' : `; ${bar}`}\n`)
  process.stdout.write(`\n${total((each) => each.passed)} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs a gate at once, and prints its output once those before it have printed all of theirs. */
async function runGate({ proves, command, env, withinMinutes }: Gate, before: Promise<unknown>): Promise<Result> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
    cwd: root,
    // Tests that need the data next to the repository fail without it.
    env: { ...process.env, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = `\n── ${proves}\n`
  let isOurTurn = false
  const print = (text: string): void => {
    if (isOurTurn) process.stdout.write(text)
    printed += text
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print)
  before.then(() => {
    isOurTurn = true
    process.stdout.write(printed)
  })
  let isLate = false
  const limit =
    withinMinutes === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true
          print(`\nIt took longer than its limit of ${withinMinutes} minutes, and was ended.\n`)
          endChild(child, graceMs)
        }, withinMinutes * 60_000)
  const code = await endOf(child)
  clearTimeout(limit)
  const seconds = secondsSince(began)
  await before
  const isOk = code === 0 && !isLate
  process.stdout.write(`${isOk ? 'ok' : 'FAILED'}: ${proves} (${seconds} s)\n`)
  // The tally of a gate is the last one that it prints.
  const [, ok = '0', bad = '0'] = [...printed.matchAll(/^(?:\w+: )?(\d+) passed, (\d+) failed$/gm)].at(-1) ?? []
  // A gate that fails without a failed test counts as one.
  return {
    code: isOk ? 0 : 1,
    seconds,
    passed: Number(ok),
    failed: isOk ? Number(bad) : Math.max(Number(bad), 1),
    failures: failuresIn(printed),
  }
}

/** The failed tests in the lists with which runs of node's test runner end. */
function failuresIn(printed: string): string[] {
  const failed = printed.matchAll(/^test at (\S+)\n✖ (.*?)(?: \([\d.]+ms\))?\n((?:(?: .*)?\n){1,40})/gm)
  return [...failed]
    .slice(0, listed.tests)
    .map(([, place, name, text = '']) => `${name} (${place}): ${errorIn(text)}`.slice(0, listed.characters))
}

/** An error without its stack. The first line does not say what a browser waited for, or what differs. */
function errorIn(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  const stack = lines.findIndex((line) => line.startsWith('at '))
  return lines
    .slice(0, stack === -1 ? undefined : stack)
    .filter((line) => line !== '')
    .slice(0, listed.lines)
    .join(' ')
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1_000)
}

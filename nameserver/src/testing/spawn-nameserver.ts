import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Endpoint, parseEndpoint } from '../endpoint.ts'

export const nameserverProgram = fileURLToPath(new URL('../../bin/nameserver.ts', import.meta.url))

/** The nameserver as a separate process. */
export interface SpawnedNameserver {
  readonly child: ChildProcess
  readonly endpoints: Endpoint[]
  readonly readyLine: string
  /** Its output on stderr so far. */
  readonly stderr: () => string
}

/** Starts it and waits for the ready line. */
export function spawnNameserver(test: TestContext, args: readonly string[]): Promise<SpawnedNameserver> {
  return readyNameserver(test, start(args))
}

/** Waits for the ready line of a process. */
export async function readyNameserver(test: TestContext, started: ChildProcess): Promise<SpawnedNameserver> {
  const { child, output } = heard(test, started)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => output.stdout.includes('\n') && resolve())
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${output.stderr}`)))
  })
  const readyLine = output.stdout.trimEnd()
  const endpoints = readyLine.split(' ').flatMap((word) => parseEndpoint(word) ?? [])
  return { child, endpoints, readyLine, stderr: () => output.stderr }
}

/** Starts it and waits until it exits. */
export async function runToEnd(test: TestContext, args: readonly string[]) {
  const { child, output } = heard(test, start(args))
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Sends a signal and waits for the end. @returns the exit code and how long it took. */
export async function endBy(signal: NodeJS.Signals, { child }: SpawnedNameserver) {
  const ended = once(child, 'exit')
  const startedAtMs = performance.now()
  child.kill(signal)
  const [code] = await ended
  return { code, tookMs: performance.now() - startedAtMs }
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [nameserverProgram, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
}

function heard(test: TestContext, child: ChildProcess) {
  test.after(() => child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output }
}

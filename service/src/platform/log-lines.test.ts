import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { eventually } from '#testing/eventually.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-log-'))
after(() => rmSync(folder, { recursive: true }))

/** Writes the given number of lines of 1,024 bytes, and reports how many were dropped. */
const program = `
  import { standardError } from ${JSON.stringify(new URL('./log-lines.ts', import.meta.url).href)}
  const lines = standardError()
  let number = 0
  process.on('message', (count) => {
    if (count === 'exit') {
      lines.write('the last one\\n')
      process.exit(0)
    }
    for (let i = 0; i < count; i++) lines.write(String(number++).padStart(1_023, '.') + '\\n')
    process.send(lines.dropped)
  })
  process.send(0)
`

interface Writer {
  readonly child: ChildProcess
  /** Makes it write this many lines, and returns how many it has dropped since its start. */
  write(count: number): Promise<number>
}

async function startWriter(t: TestContext, stderr: number | 'pipe'): Promise<Writer> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const answer = async (): Promise<number> => Number((await once(child, 'message'))[0])
  await answer()
  const write = (count: number): Promise<number> => {
    const dropped = answer()
    child.send(count)
    return dropped
  }
  return { child, write }
}

test('lines that a full disk refuses are dropped and counted, and the program continues', async (t) => {
  const full = openSync('/dev/full', 'w')
  t.after(() => closeSync(full))
  const { write } = await startWriter(t, full)
  await write(10)
  await eventually('they are counted', async () => (await write(0)) === 10)
  await write(5)
  await eventually('so are later ones', async () => (await write(0)) === 15)
})

test('once there is room again, each line is written on its own line, including the last one before the exit', async (t) => {
  const file = join(folder, 'small.log')
  const log = openSync(file, 'a')
  t.after(() => closeSync(log))
  const { child, write } = await startWriter(t, log)
  const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`])
  limit('2560')
  await write(10)
  await eventually('they are counted', async () => (await write(0)) === 8)
  limit('unlimited')
  await write(1)
  const exited = once(child, 'exit')
  child.send('exit')
  assert.equal((await exited)[0], 0)
  const written = readFileSync(file, 'utf8').split('\n')
  assert.deepEqual(
    written.map((line) => line.replace(/^\.+/, '')),
    ['0', '1', '', '10', 'the last one', ''],
  )
})

test('neither a pipe that no one reads nor a closed one blocks the program', async (t) => {
  const { child, write } = await startWriter(t, 'pipe')
  // More than the pipe and the process buffer.
  assert.ok((await write(4_096)) > 2_000)
  child.stderr?.destroy()
  // All except what the pipe had accepted by then, which is a few hundred lines at most. About 1,000 were waiting.
  await eventually('what waited is counted, too', async () => (await write(0)) >= 3_600)
  const before = await write(0)
  await write(3)
  await eventually('so is what comes now', async () => (await write(0)) >= before + 3)
})

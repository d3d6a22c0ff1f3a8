import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Program, StartFailed } from './process.ts'

/** A program in its own folder, which prints that it is ready and the word of a file that it imports. */
function planted(t: TestContext, word: string): { script: string; logFile: string; write(source: string): void } {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-program-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (source: string): void => writeFileSync(join(folder, 'word.mjs'), source)
  write(word)
  const script = join(folder, 'program.mjs')
  writeFileSync(
    script,
    `import { word } from './word.mjs'\nprocess.stdout.write(\`ready \${word} \${process.pid}\\n\`)\nsetInterval(() => {}, 1_000)\n`,
  )
  return { script, logFile: join(folder, 'log'), write }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !holds() && Date.now() < deadline; ) await delay(20)
  assert.ok(holds(), what)
}

/** Saves again each second, as a person would, because Node misses a change that is saved before it watches the file. */
async function saveUntil(save: () => void, what: string, holds: () => boolean): Promise<void> {
  save()
  const timer = setInterval(save, 1_000)
  try {
    await until(what, holds)
  } finally {
    clearInterval(timer)
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a watched program restarts when a file that it imports changes, and reports why it cannot', async (t) => {
  const { script, logFile, write } = planted(t, `export const word = 'one'`)
  const heard: string[] = []
  const watch = { restarted: () => heard.push('restarted'), failed: (why: string) => heard.push(why) }
  const program = new Program({ name: 'it', args: [script], logFile, watch })
  const [word, pid] = (await program.start()).split(' ')
  try {
    assert.equal(word, 'one')
    const wrong = 'throw new TypeError("what is wrong")\nexport const word = 0'
    await saveUntil(
      () => write(wrong),
      'it fails',
      () => heard.includes('it: TypeError: what is wrong'),
    )
    assert.ok(!heard.includes('restarted'), heard.join())
    await saveUntil(
      () => write(`export const word = 'two'`),
      'it runs again',
      () => heard.at(-1) === 'restarted',
    )
    assert.match(readFileSync(logFile, 'utf8'), /TypeError: what is wrong/)
  } finally {
    await program.stop()
  }
  assert.ok(!runs(Number(pid)))
})

test('a program that is killed or restarted reports that it has another process id', async (t) => {
  const { script, logFile } = planted(t, `export const word = 'one'`)
  const program = new Program({ name: 'it', args: [script], logFile })
  const told: (number | undefined)[] = []
  program.onRestart(() => told.push(program.pid))
  await program.start()
  try {
    const first = program.pid
    assert.deepEqual(told, [])
    process.kill(first ?? assert.fail(), 'SIGKILL')
    await until('it is started again', () => told.length === 1)
    assert.notEqual(program.pid, first)
    await program.ready()
    await program.restart()
    assert.equal(told.length, 2)
    assert.equal(told[1], program.pid)
  } finally {
    await program.stop()
  }
})

test('a watched program that fails at its first start fails the start at once', async (t) => {
  const { script, logFile } = planted(t, 'throw new RangeError("too far")\nexport const word = 0')
  const watch = { restarted: () => assert.fail(), failed: () => assert.fail() }
  const program = new Program({ name: 'it', args: [script], logFile, watch })
  try {
    await assert.rejects(program.start(), new StartFailed('it: RangeError: too far'))
  } finally {
    await program.stop()
  }
})

test('a watched program ends when the process that started it is killed', async (t) => {
  const { script, logFile } = planted(t, `export const word = 'one'`)
  const spec = { name: 'it', args: [script], logFile }
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { Program } from ${JSON.stringify(fileURLToPath(new URL('process.ts', import.meta.url)))}
const watch = { restarted() {}, failed() {} }
const program = new Program({ ...${JSON.stringify(spec)}, watch })
console.log(await program.start(), program.pid)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [said] = await once(parent.stdout.setEncoding('utf8'), 'data')
  const [, ...pids] = String(said).trim().split(' ').map(Number)
  assert.ok(pids.length === 2 && pids.every(runs), said)
  parent.kill('SIGKILL')
  await until(`${pids} end`, () => !pids.some(runs))
})

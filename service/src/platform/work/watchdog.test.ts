import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'

const tickMs = 10
/** Much longer than the watchdog waits. */
const longMs = 80 * tickMs * 3

/** A program that blocks its main loop from SIGUSR2 on, without end if it is to be killed: the watchdog may get its turn late. */
async function start(t: TestContext, setUp = '', blockMs = Number.POSITIVE_INFINITY): Promise<ChildProcess> {
  const program = `
    import { startWatchdog } from ${JSON.stringify(new URL('./watchdog.ts', import.meta.url).href)}
    ${setUp}
    startWatchdog(${tickMs})
    process.on('message', () => process.send('alive'))
    process.on('SIGUSR2', () => {
      const untilMs = performance.now() + ${blockMs}
      while (performance.now() < untilMs);
    })
    process.send('alive')
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit').then(([code, signal]) => assert.fail(`it ended at its start: ${code ?? signal}`))
  await Promise.race([once(child, 'message'), exited])
  return child
}

async function isAlive(child: ChildProcess): Promise<boolean> {
  const answered = Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
  child.send('?')
  return await answered
}

test('a process whose main loop is blocked writes one line and is killed', async (t) => {
  const child = await start(t)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const closed = once(child, 'close')
  child.kill('SIGUSR2')
  assert.deepEqual(await closed, [null, 'SIGKILL'])
  assert.match(said, /^\{"level":60,.*"msg":"the main loop has been blocked for 0\.8 s; the process is killed"\}\n$/)
})

test('a process whose log no one reads is killed as well', async (t) => {
  const child = await start(t, `process.stderr.write('x'.repeat(1 << 20))`)
  const exited = once(child, 'exit')
  child.kill('SIGUSR2')
  assert.deepEqual(await exited, [null, 'SIGKILL'])
})

test('a pause of the whole process does not count', async (t) => {
  const [paused, still] = await Promise.all([start(t), start(t)])
  paused.kill('SIGSTOP')
  const exited = once(still, 'exit')
  still.kill('SIGUSR2')
  // By now, the other one has been away for longer than the watchdog waits.
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  paused.kill('SIGCONT')
  assert.equal(await isAlive(paused), true)
})

test('nothing is killed while an inspector is open', async (t) => {
  const child = await start(
    t,
    `const inspector = await import('node:inspector'); inspector.open(0, '127.0.0.1')`,
    longMs,
  )
  child.kill('SIGUSR2')
  assert.equal(await isAlive(child), true)
})

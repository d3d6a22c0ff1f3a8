import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { eventually } from '#testing/eventually.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-notify-'))
after(() => rmSync(folder, { recursive: true }))

/** Replaces the program of systemd: it records its arguments, and the address to which it would send them. */
const told = join(folder, 'told')
writeFileSync(told, '')
writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET" "$@" >> '${told}'\n`, { mode: 0o755 })

function startTelling(t: TestContext, env: Readonly<Record<string, string>>) {
  const program = `
    import { notifySystemd } from ${JSON.stringify(new URL('./notify-systemd.ts', import.meta.url).href)}
    notifySystemd(50)
    process.on('message', () => process.exit(0))
    process.send('runs')
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

test('systemd is notified once that the process is ready, and then repeatedly that it runs', async (t) => {
  startTelling(t, { NOTIFY_SOCKET: '/run/fake', PATH: `${folder}${delimiter}${process.env['PATH']}` })
  const lines = await eventually('it is told', () => {
    const all = readFileSync(told, 'utf8').trimEnd().split('\n')
    return all.length >= 3 ? all.slice(0, 3) : undefined
  })
  assert.deepEqual(new Set(lines), new Set(['/run/fake READY=1', '/run/fake WATCHDOG=1']))
  assert.equal(lines.filter((line) => line.endsWith('READY=1')).length, 1)
})

test('a machine without the program of systemd is not a fault', async (t) => {
  const child = startTelling(t, { NOTIFY_SOCKET: '/run/fake', PATH: '/nowhere' })
  let said = ''
  child.stderr?.on('data', (text) => {
    said += text
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.once('message', () => child.send('end'))
  assert.equal(await ended, 0)
  assert.equal(said, '')
})

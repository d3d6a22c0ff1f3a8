import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../testing/eventually.ts'
import { listenAsSystemd } from '../testing/notify-socket.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-notify-'))
after(() => rmSync(folder, { recursive: true }))

function start(t: TestContext, args: readonly string[], socket: string): void {
  const child = spawn(process.execPath, args, { env: { ...process.env, NOTIFY_SOCKET: socket }, stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
}

test('systemd is notified once that the process is ready, and then repeatedly that it runs', async (t) => {
  const path = join(folder, 'notify')
  const next = listenAsSystemd(t, path)
  const program = `
    import { notifySystemd } from ${JSON.stringify(new URL('./notify-systemd.ts', import.meta.url).href)}
    notifySystemd(50)
    setInterval(() => {}, 1_000)
  `
  start(t, ['--input-type=module', '--eval', program], path)
  const told = []
  while (told.length < 3) told.push(await eventually('it is told', next))
  assert.deepEqual(told, ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1'])
})

test('the nameserver notifies systemd once it answers queries', async (t) => {
  const path = join(folder, 'of-nameserver')
  const next = listenAsSystemd(t, path)
  const bin = fileURLToPath(new URL('../../bin/nameserver.ts', import.meta.url))
  start(t, [bin, '--zone-dir', mkdtempSync(join(folder, 'zones-')), '--listen', '127.0.0.1:0'], path)
  assert.equal(await eventually('it is told', next), 'READY=1')
})

// A whole installation with one blocked process: its watchdog kills it after 20 s, and it is restarted.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { askUdp, eventually, worldForTests } from '../world/index.ts'

// Every program of the world blocks its main loop from SIGUSR2 on.
process.env['NODE_OPTIONS'] =
  `--import=data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { for (;;); })")}`
const world = await worldForTests()
delete process.env['NODE_OPTIONS']

for (const [name, program, log] of [
  ['the service', world.programs.service, 'service.log'],
  ['a nameserver', world.programs.ns1, 'ns1.log'],
] as const)
  test(`${name} whose main loop is blocked is killed after 20 s, and works again`, async (t) => {
    const { pid } = program
    const stoodMs = performance.now()
    process.kill(pid ?? 0, 'SIGUSR2')
    await eventually('another one runs', async () => program.pid !== pid)
    const tookS = (performance.now() - stoodMs) / 1_000
    t.diagnostic(`killed after ${tookS.toFixed(1)} s`)
    assert.ok(tookS > 19 && tookS < 30, `${tookS} s`)
    await program.ready()
    assert.match(
      readFileSync(join(world.dataDir, 'logs', log), 'utf8'),
      /"msg":"the main loop has been blocked for 20 s; the process is killed"\}\n.*ended \(SIGKILL\); restarting it/,
    )
    assert.ok((await world.api.put(world.facts.zone.name, 'watchdog', 'A', ['192.0.2.1'])).status < 300)
    const address = world.facts.nameservers[0]?.address ?? ''
    await eventually(
      'it is served',
      async () => (await askUdp(address, `watchdog.${world.facts.zone.name}`, 'A')).answers[0],
    )
  })

// `npm run dev`: the service restarts and the dashboard updates when a source file changes; no process is left after a stop.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cloneTemplate } from '@zonewright/service/test-database'
import { environmentOf, freeAddresses, freePort } from '../../tools/local/addresses.ts'
import type { SandboxFacts } from '../../tools/local/installation.ts'
import { Browser, eventually, freshCode } from '../world/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Dev {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  readonly dataDir: string
  readonly site: string
  /** Its output so far. */
  printed(): string
}

/** Starts it as npm does, on free ports and with its own database. */
async function startDev(env: Readonly<Record<string, string>> = {}): Promise<Dev> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-dev-'))
  const listen = `127.0.0.1:${await freePort()}`
  const child = spawn(process.execPath, ['tools/run.cjs', 'tools/dev.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...environmentOf(await freeAddresses()),
      DATA_DIR: dataDir,
      DATABASE_URL: await cloneTemplate(),
      DASHBOARD_LISTEN: listen,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return { child, ended, dataDir, site: `http://${listen}`, printed: () => printed }
}

/** Waits until it has printed something that matches. */
async function prints(dev: Dev, pattern: RegExp): Promise<void> {
  const found = await eventually(
    () => `npm run dev prints ${pattern}: ${dev.printed()}`,
    async () => pattern.test(dev.printed()) || (dev.child.exitCode !== null && 'ended'),
  )
  assert.notEqual(found, 'ended', dev.printed())
}

/** Makes a file look changed, which is all that its watchers check. */
function touch(path: string): void {
  const now = new Date()
  utimesSync(join(root, path), now, now)
}

test('npm run dev reloads the service and the dashboard, and leaves nothing behind', async () => {
  const dev = await startDev()
  await prints(dev, /Ctrl-C stops everything/)
  assert.match(
    dev.printed(),
    new RegExp(`Open ${dev.site}/app/\\. The service restarts .* and the dashboard updates`, 's'),
  )
  const facts = JSON.parse(readFileSync(join(dev.dataDir, 'sandbox.json'), 'utf8')) as SandboxFacts
  assert.equal(facts.dashboard_url, `${dev.site}/app/`)

  // Through Vite: the page from the sources, its root, the API, the API's reference, and a session with a second factor.
  assert.match(await (await fetch(`${dev.site}/app/zones`)).text(), /src="\/app\/src\/main\.tsx/)
  for (const path of ['/', '/app']) assert.equal((await fetch(dev.site + path)).url, `${dev.site}/app/`)
  assert.equal((await fetch(`${dev.site}/readyz`)).status, 200)
  assert.match(await (await fetch(`${dev.site}/api/v1/reference`)).text(), /<h1/)
  const browser = new Browser(dev.site)
  const { email, password, totp_secret: secret } = facts.account
  assert.equal((await browser.call('POST', '/api/auth/sign-in/email', { email, password })).status, 200)
  const code = await freshCode(secret)
  assert.equal((await browser.call('POST', '/api/auth/two-factor/verify-totp', { code })).status, 200)
  const account = await browser.call('GET', '/api/v1/account')
  assert.deepEqual([account.status, account.body['email']], [200, email])

  // A module that the browser has loaded is updated in it.
  const page = 'src/pages/sign-in-page.tsx'
  assert.equal((await fetch(`${dev.site}/app/${page}`)).status, 200)
  const client = await (await fetch(`${dev.site}/app/@vite/client`)).text()
  const [, token = ''] = /wsToken = "([^"]+)"/.exec(client) ?? []
  const socket = new WebSocket(`${dev.site.replace('http', 'ws')}/app/?token=${token}`, 'vite-hmr')
  const updates: string[] = []
  socket.addEventListener('message', ({ data }) => updates.push(String(data)))
  await eventually('Vite takes the connection', async () => updates.some((text) => text.includes('"connected"')))
  touch(`dashboard/${page}`)
  await eventually(
    () => `Vite updates ${page}: ${updates}`,
    async () => updates.some((text) => text.includes('"update"') && text.includes(page)),
  )
  socket.close()

  // The service restarts with the change, and the session continues.
  const started = async (): Promise<string | undefined> =>
    /^process_start_time_seconds (\S+)$/m.exec(await (await fetch(`${facts.base_url}/metrics`)).text())?.[1]
  const before = await started()
  touch('service/src/modules/records/rules.ts')
  await prints(dev, /The service has restarted with your change\./)
  assert.notEqual(await started(), before)
  assert.equal((await browser.call('GET', '/api/v1/account')).status, 200)

  dev.child.kill('SIGTERM')
  assert.equal(await dev.ended, 0, dev.printed())
  for (const address of [dev.site, facts.base_url, facts.mailbox_url, facts.gateway_url])
    await assert.rejects(fetch(address), address)
})

test('npm run dev exits with the service’s message if the service refuses a setting', async () => {
  const dev = await startDev({ LOG_LEVEL: 'loud' })
  assert.equal(await dev.ended, 1)
  assert.match(dev.printed(), /^service: LOG_LEVEL/m)
})

test('npm run dev names each port in use, and what to do, before it starts anything', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  after(() => taken.close())
  const address = `127.0.0.1:${(taken.address() as { port: number }).port}`
  const settings = {
    DASHBOARD_LISTEN: address,
    HTTP_LISTEN: address,
    PRIMARY_LISTEN: address,
    NAMESERVERS: `ns1=127.0.0.1:${await freePort()},ns2=${address}`,
    SANDBOX_SMTP_LISTEN: address,
  }
  const dev = await startDev(settings)
  assert.equal(await dev.ended, 1)
  const told = Object.keys(settings).map(
    (setting) =>
      `${address} is in use. Stop the program that uses it, such as \`npm start\` or another \`npm run dev\`, or set ${setting} to a free address.\n`,
  )
  assert.equal(dev.printed(), told.join(''))
})

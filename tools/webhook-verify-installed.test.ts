// @zonewright/webhook-verify as customers use it: packed, installed from the file into an empty folder, and used as the docs say.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { verificationCodes } from '@zonewright/dashboard/verification-code'
import { nodeOfMajor } from './local/node-versions.ts'
import {
  webhookEvent as event,
  linesOf,
  webhookSecret as secret,
  signatureOf,
  webhookRequests,
} from './local/webhook-requests.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zonewright-verify-'))

before(async () => {
  await run('npm', ['pack', '--silent', '--workspace', 'packages/webhook-verify', '--pack-destination', folder], {
    cwd: root,
  })
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(folder, 'package.json'), '{ "name": "receiver", "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('the package has JavaScript, types and a README, and no dependencies', async () => {
  const installed = join(folder, 'node_modules/@zonewright/webhook-verify')
  assert.deepEqual((await readdir(installed, { recursive: true })).sort(), [
    'README.md',
    'dist',
    'dist/index.d.ts',
    'dist/index.js',
    'dist/signing.d.ts',
    'dist/signing.js',
    'dist/verify.d.ts',
    'dist/verify.js',
    'package.json',
  ])
  const packages = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))
  assert.deepEqual(packages, ['@zonewright'])
})

for (const major of [20, 22, 26]) {
  test(`Node ${major}: the receiver of docs/webhooks.md accepts signed events, and no others`, async (t) => {
    const node = await nodeFor(major, (message) => t.diagnostic(message))
    if (node === undefined) return
    const receiver = stripTypeScriptTypes(exampleOf('docs/webhooks.md', 'ts'))
    await writeFile(join(folder, `receiver-${major}.mjs`), `${receiver}\n${callsOfReceiver}`)
    assert.deepEqual(await outputOf(node, `receiver-${major}.mjs`), {
      node: major,
      own: [204, ''],
      standard: [204, ''],
      otherBody: [400, 'wrong_signature'],
      otherSecret: [400, 'wrong_signature'],
      old: [400, 'too_old'],
      ahead: [400, 'too_old'],
      unsigned: [400, 'no_signature'],
      malformed: [400, 'unreadable'],
      noEvent: [400, 'not_an_event'],
      queued: [event, event],
    })
  })

  test(`Node ${major}: require returns the same functions as import`, async (t) => {
    const node = await nodeFor(major, (message) => t.diagnostic(message))
    if (node === undefined) return
    await writeFile(
      join(folder, 'required.cjs'),
      `const required = require('@zonewright/webhook-verify')
       import('@zonewright/webhook-verify').then((imported) => console.log(JSON.stringify({
         names: Object.keys(required).sort(),
         same: required.verifyWebhook === imported.verifyWebhook && required.WebhookRefused === imported.WebhookRefused,
       })))`,
    )
    assert.deepEqual(await outputOf(node, 'required.cjs'), { names: ['WebhookRefused', 'verifyWebhook'], same: true })
  })
}

test('the server of the README answers 204 to a signed request and 400 to any other', async () => {
  const server = exampleOf('packages/webhook-verify/README.md', 'js')
  // The system chooses the port, which the server prints once it listens.
  await writeFile(
    join(folder, 'server.mjs'),
    `${server}\nserver.on('listening', () => console.log(server.address().port))`,
  )
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data) => resolve(String(data).trim()))
      child.once('close', () => reject(new Error('The server ended before it listened.')))
    })
    const body = JSON.stringify(event)
    const post = (signature: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: { 'Service-Signature': signature } })
    assert.equal((await post(signatureOf(body))).status, 204)
    const refused = await post(signatureOf(`${body} `))
    assert.deepEqual([refused.status, await refused.text()], [400, 'wrong_signature'])
  } finally {
    child.kill()
    await ended
  }
})

const typed = `${exampleOf('docs/webhooks.md', 'ts')}
import type { RefusalReason, RequestHeaders, VerifyOptions, WebhookEvent } from '@zonewright/webhook-verify'
declare const process: { readonly env: { readonly WEBHOOK_SECRET?: string } }
declare function queue(event: WebhookEvent): Promise<void>
export const options: VerifyOptions = { body: 'text', headers: new Headers() satisfies RequestHeaders, secret: ['new', 'old'] }
export const nodes: RequestHeaders = { 'service-signature': 't=1,v1=ab', 'set-cookie': ['a', 'b'], missing: undefined }
export const reason: RefusalReason = new WebhookRefused('too_old', 'It is old.').reason
export const zone: Promise<string> = verifyWebhook<{ zone: { name: string } }>(options).then(({ data }) => data.zone.name)
// @ts-expect-error A secret is required.
export const wrong: VerifyOptions = { body: 'text', headers: new Headers() }
// @ts-expect-error Data is unknown unless it is named.
export const unknown: Promise<string> = verifyWebhook(options).then(({ data }) => data.zone.name)
export { receive }
`
for (const { resolution, module, file } of [
  { resolution: 'nodenext', module: 'nodenext', file: 'receiver.ts' },
  { resolution: 'bundler', module: 'esnext', file: 'receiver.ts' },
  { resolution: 'nodenext', module: 'nodenext', file: 'receiver.cts' },
]) {
  test(`${file} with the example of docs/webhooks.md has the right types under moduleResolution ${resolution}`, async () => {
    const project = join(folder, `types-${resolution}-${file.split('.')[1]}`)
    await mkdir(project)
    await writeFile(join(project, file), typed)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      module,
      moduleResolution: resolution,
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [file] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch((error) => error)
    assert.equal(stdout, '')
  })
}

test('the TypeScript code of the dashboard accepts signed requests, and no others', async () => {
  const { code } = verificationCodes.find(({ id }) => id === 'typescript') ?? assert.fail('no TypeScript')
  const requests = webhookRequests()
  await writeFile(join(folder, 'requests.json'), JSON.stringify(requests))
  await writeFile(
    join(folder, 'code.mjs'),
    `${stripTypeScriptTypes(code)}
    import { readFileSync } from 'node:fs'
    for (const { signature, body } of JSON.parse(readFileSync('requests.json', 'utf8'))) {
      const headers = new Headers(signature === '' ? {} : { 'Service-Signature': signature })
      console.log(await eventOf(headers, Buffer.from(body)).then(({ id }) => 'accepted ' + id, () => 'refused'))
    }`,
  )
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const { stdout } = await run(process.execPath, ['--no-warnings', 'code.mjs'], { cwd: folder, env })
  assert.deepEqual(stdout.trim().split('\n'), linesOf(requests))
})

/** A Node of this version. If there is none, it says so, and in CI the test fails. */
async function nodeFor(major: number, say: (message: string) => void): Promise<string | undefined> {
  try {
    return await nodeOfMajor(major)
  } catch (error) {
    if (process.env['CI'] || !(error instanceof Error)) throw error
    say(`NOT TESTED on Node ${major}: ${error.message}`)
    return undefined
  }
}

async function outputOf(node: string, file: string): Promise<unknown> {
  const { stdout } = await run(node, ['--no-warnings', file], { cwd: folder, env: { WEBHOOK_SECRET: secret } })
  return JSON.parse(stdout)
}

/** The one example of a page in this language that imports the package. */
function exampleOf(page: string, language: string): string {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.filter(([, of, code = '']) => of === language && code.includes("'@zonewright/webhook-verify'"))
  assert.equal(found.length, 1, `${page} has one example in ${language}`)
  return found[0]?.[2] ?? ''
}

/** What is appended to the docs' receiver: requests of every kind, and its responses. */
const callsOfReceiver = `
import { createHmac } from 'node:crypto'
const queued = []
async function queue(event) { queued.push(event) }
const secret = process.env.WEBHOOK_SECRET
const body = ${JSON.stringify(JSON.stringify(event))}
const nowS = Math.floor(Date.now() / 1000)
const hmac = (key, text) => createHmac('sha256', key).update(text)
const own = (at, text, key = secret) => ({ 'Service-Signature': 't=' + at + ',v1=' + hmac(key, at + '.' + text).digest('hex') })
const standard = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(nowS),
  'webhook-signature': 'v1,' + hmac(Buffer.from(secret.slice(6), 'base64'), 'evt_1.' + nowS + '.' + body).digest('base64'),
}
const answer = async (headers, text = body) => {
  const response = await receive(new Request('https://receiver.example/', { method: 'POST', headers, body: text }))
  return [response.status, await response.text()]
}
console.log(JSON.stringify({
  node: Number(process.versions.node.split('.')[0]),
  own: await answer(own(nowS, body)),
  standard: await answer(standard),
  otherBody: await answer(own(nowS, body), body + ' '),
  otherSecret: await answer(own(nowS, body, 'whsec_c2VjcmV0')),
  old: await answer(own(nowS - 310, body)),
  ahead: await answer(own(nowS + 310, body)),
  unsigned: await answer({}),
  malformed: await answer({ 'Service-Signature': 'v1=ab' }),
  noEvent: await answer(own(nowS, '{}'), '{}'),
  queued,
}))
`

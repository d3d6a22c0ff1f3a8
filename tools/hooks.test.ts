// The hooks of docs/examples against a small API: which zone they choose, and what they report if they cannot find it. Each hook is one file to
// download, so all three have their own copy of the function that looks up the zone.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { standIn } from './deployment/machine.ts'
import { hookCalls } from './hook-calls.ts'

const examples = fileURLToPath(new URL('../docs/examples', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zonewright-hooks-'))
after(() => rmSync(folder, { recursive: true }))

/** Replaces curl on machines without it, because `npm test` must not need it. It knows the options that the hooks use. */
const client = join(folder, 'curl.mjs')
writeFileSync(
  client,
  `
import { parseArgs } from 'node:util'
const text = { type: 'string' }
const flag = { type: 'boolean' }
const { values, positionals: [url] } = parseArgs({
  allowPositionals: true,
  options: {
    'fail-with-body': flag, silent: flag, 'show-error': flag,
    request: { ...text, default: 'GET' }, header: { ...text, multiple: true, default: [] }, data: text,
  },
})
const headers = values.header.map((line) => line.split(/: (.*)/).slice(0, 2))
try {
  const answer = await fetch(url, { method: values.request, headers, body: values.data })
  process.stdout.write(await answer.text())
  if (!answer.ok) throw new Error('(22) The requested URL returned error: ' + answer.status)
} catch (error) {
  process.stderr.write('curl: ' + (error.cause?.message ?? error.message) + '\\n')
  process.exitCode = 22
}
`,
)
if (spawnSync('curl', ['--version']).status !== 0)
  standIn(folder, 'curl', `exec '${process.execPath}' '${client}' "$@"`)

const zone = (name: string): object => ({ id: '6f0e8c1a-7b1d-4b7e-9d0a-0123456789ab', name, kind: 'zone' })
const domain = (name: string): object => ({ id: 'dom_1', name, kind: 'domain' })
const refused = { error: { code: 'invalid_key', message: 'This key was revoked on 2026-11-20.' } }

/** The API's response about a key, by its secret; undefined: the server is not the API. */
const keys: Readonly<Record<string, unknown>> = {
  name: { name: 'acme', zones: ['one.example'], permissions: ['acme:dns01'] },
  twice: { name: 'acme', zones: ['one.example', 'one.example'] },
  alabel: { name: 'acme', zones: ['xn--bcher-kva.example'] },
  object: { zones: [zone('one.example')], name: 'acme' },
  withDomain: { name: 'acme', zones: [domain('one.example'), zone('one.example')] },
  otherDomain: { name: 'acme', zones: [zone('one.example'), domain('other.example')] },
  tricky: { name: '","zones":["evil.example"],"x":["', zones: ['one.example'] },
  trickyToo: { zones: ['one.example'], name: '"zones":"all"' },
  several: { name: 'acme', zones: ['one.example', 'two.example'] },
  severalObjects: { name: 'acme', zones: [zone('one.example'), zone('two.example'), domain('two.example')] },
  all: { name: 'acme', zones: 'all' },
  none: { name: 'acme', zones: [] },
  onlyDomain: { name: 'acme', zones: [domain('one.example')] },
}

const asked: string[] = []
const server = createServer((request, response) => {
  const key = request.headers.authorization?.slice('Bearer '.length) ?? ''
  asked.push(`${request.method} ${request.url}`)
  request.resume().on('end', () => {
    if (key === 'page') return response.end('<html>It works!</html>')
    if (key === 'revoked') return response.writeHead(401).end(JSON.stringify(refused))
    response.end(JSON.stringify(request.method === 'GET' ? keys[key] : { ttl: 60, records: [] }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`

interface Ended {
  readonly ok: boolean
  readonly stderr: string
  readonly asked: readonly string[]
}

function run(commands: string, settings: Readonly<Record<string, string>>): Promise<Ended> {
  const env = { PATH: `${folder}:${process.env['PATH']}`, ...settings }
  asked.length = 0
  return new Promise((resolve) =>
    execFile('sh', ['-c', commands], { cwd: folder, env }, (error, _, stderr) =>
      resolve({ ok: error === null, stderr, asked: [...asked] }),
    ),
  )
}

const current = 'GET /api/v1/api-keys/current'
const change = (name: string): string => `PATCH /api/v1/zones/${name}/rrsets/_acme-challenge.one.example./TXT`

for (const [name, call] of Object.entries(hookCalls)) {
  test(`${name} uses the zone of a key that is for only one zone`, async () => {
    const named = {
      name: 'one',
      twice: 'one',
      object: 'one',
      withDomain: 'one',
      otherDomain: 'one',
      tricky: 'one',
      trickyToo: 'one',
    }
    for (const [key, label] of Object.entries({ ...named, alabel: 'xn--bcher-kva' }))
      for (const more of key === 'name' ? [{}, { ZONEWRIGHT_ZONE: '' }] : [{}]) {
        const ended = await run(call, { ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: key, ...more })
        assert.deepEqual(ended, { ok: true, stderr: '', asked: [current, change(`${label}.example`)] }, key)
      }
  })

  test(`${name} uses ZONEWRIGHT_ZONE if it is set, without a lookup`, async () => {
    for (const key of ['name', 'several', 'all', 'page']) {
      const ended = await run(call, { ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: key, ZONEWRIGHT_ZONE: 'set.example' })
      assert.deepEqual([ended.ok, ended.asked], [true, [change('set.example')]], key)
    }
  })

  test(`${name} changes nothing and says what to set if the key is not for exactly one zone`, async () => {
    const expected = {
      several: /ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for 2 zones\.\n$/,
      severalObjects: /ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for 2 zones\.\n$/,
      all: /ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for all zones\.\n$/,
      none: /ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for 0 zones\.\n$/,
      onlyDomain: /ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for 0 zones\.\n$/,
      revoked: /This key was revoked on 2026-11-20\./,
      page: /\/api\/v1\/api-keys\/current does not answer as the API does: check ZONEWRIGHT_URL\.\n$/,
    }
    for (const [key, message] of Object.entries(expected)) {
      const ended = await run(call, { ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: key })
      assert.deepEqual([ended.ok, ended.asked], [false, [current]], key)
      assert.match(ended.stderr, message, key)
    }
  })

  test(`${name} reports a missing address or key, and a server that does not answer`, async () => {
    const missing = [
      [{ ZONEWRIGHT_KEY: 'name' }, /ZONEWRIGHT_URL.* must be set/],
      [{ ZONEWRIGHT_URL: url }, /ZONEWRIGHT_KEY.* must be set/],
      [{ ZONEWRIGHT_URL: '', ZONEWRIGHT_KEY: 'name' }, /ZONEWRIGHT_URL.* must be set/],
      [{ ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: '' }, /ZONEWRIGHT_KEY.* must be set/],
      [{}, /ZONEWRIGHT_URL.* must be set/],
      [{ ZONEWRIGHT_URL: 'http://127.0.0.1:1', ZONEWRIGHT_KEY: 'name' }, /^curl: /],
    ] as const
    for (const [settings, message] of missing) {
      const ended = await run(call, settings)
      assert.deepEqual([ended.ok, ended.asked], [false, []], JSON.stringify(settings))
      assert.match(ended.stderr, message)
    }
  })
}

test('lego-hook.sh waits for the TTL of a name’s first value before it presents the second, and for no other name', async (t) => {
  // Instead of waiting, it records how long it would wait.
  standIn(folder, 'sleep', 'echo "$1" >> slept')
  t.after(() => rmSync(join(folder, 'sleep')))
  const slept = join(folder, 'slept')
  const settings = { ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: 'name', ZONEWRIGHT_ZONE: 'one.example', TMPDIR: folder }
  const waits = async (...calls: readonly string[]): Promise<number[]> => {
    writeFileSync(slept, '')
    for (const call of calls) {
      const ended = await run(`sh ${examples}/lego-hook.sh ${call}`, settings)
      assert.deepEqual([ended.ok, ended.stderr, ended.asked.length], [true, '', 1], call)
    }
    return readFileSync(slept, 'utf8').split('\n').filter(Boolean).map(Number)
  }
  const [first, same, other] = [
    '_acme-challenge.one.example. a',
    '_acme-challenge.one.example. b',
    '_acme-challenge.www.one.example. c',
  ]
  assert.deepEqual(await waits(`present ${first}`, `present ${other}`, `cleanup ${other}`, `cleanup ${first}`), [])
  const [wait = 0, ...more] = await waits(`present ${same}`)
  assert.ok(wait > 20 && wait <= 30, `${wait}`)
  assert.deepEqual(more, [])
  assert.deepEqual(await waits('present _acme-challenge.deep.one.example. d'), [])
  // Removed long ago, or by a clock that was ahead.
  const [mark = ''] = readdirSync(folder).filter((name) => name.startsWith('zonewright-lego-'))
  for (const at of ['', 0, Math.floor(Date.now() / 1000) - 31, Math.floor(Date.now() / 1000) + 1_000]) {
    writeFileSync(join(folder, mark, '_acme-challenge.one.example'), `${at}\n`)
    assert.deepEqual(await waits(`present ${same}`), [], `${at}`)
  }
})

test('the recipe for lego sets a wait of one second between two challenges, instead of a minute', () => {
  const page = readFileSync(new URL('../docs/customers/acme.md', import.meta.url), 'utf8')
  const [, recipe = ''] = /^```sh lego\n(.*?)^```$/ms.exec(page) ?? []
  assert.match(recipe, /^export EXEC_SEQUENCE_INTERVAL=1$/m)
  assert.ok(recipe.indexOf('EXEC_SEQUENCE_INTERVAL') < recipe.indexOf('lego --accept-tos'))
})

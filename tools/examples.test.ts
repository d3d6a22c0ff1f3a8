// docs/examples without third-party programs. system-tests/conformance/acme.test.ts runs them with real ones.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { standIn } from './deployment/machine.ts'
import { hookCalls } from './hook-calls.ts'

const hook = fileURLToPath(new URL('../docs/examples/dns_zonewright.sh', import.meta.url))

/** Stand-ins for acme.sh's own functions, which keep values in the file of a certificate. */
const acmeFunctions = `
_savedomainconf() { echo "$1='$2'" >> "$DOMAIN_CONF"; }
_readdomainconf() { (. "$DOMAIN_CONF"; eval "printf %s \\"\\$$1\\""); }
`

test('acme.sh renews each certificate with the settings of its issue, without them in the environment', (t) => {
  const folder = folderWithCurl(t)
  const run = (domain: string, commands: string, settings: Readonly<Record<string, string>> = {}): string => {
    const certificate = join(folder, domain)
    writeFileSync(certificate, '', { flag: 'a' })
    return askedBy(folder, `${acmeFunctions}. ${hook}\n${commands}`, { DOMAIN_CONF: certificate, ...settings })
  }
  const names = ['one.example', 'two.example']
  const issued = names.map((name) =>
    run(name, `dns_zonewright_add _acme-challenge.${name} gfj9Xq-Rg85nM`, {
      ZONEWRIGHT_URL: 'https://dns.example.net',
      ZONEWRIGHT_KEY: `svc_live_${name}`,
      ZONEWRIGHT_ZONE: name,
    }),
  )
  for (const [i, name] of names.entries()) {
    assert.match(issued[i] ?? '', new RegExp(`^Authorization: Bearer svc_live_${name}$`, 'm'))
    assert.match(issued[i] ?? '', new RegExp(`^https://dns.example.net/api/v1/zones/${name}/rrsets/`, 'm'))
    assert.equal(run(name, `dns_zonewright_add _acme-challenge.${name} gfj9Xq-Rg85nM`), issued[i])
  }
  assert.throws(() => run('three.example', 'dns_zonewright_add _acme-challenge.three.example gfj9Xq-Rg85nM'), {
    message: /ZONEWRIGHT_URL and ZONEWRIGHT_KEY must be set/,
  })
})

test('acme.sh renews with only a key: it looks the zone up each time, and does not store it', (t) => {
  const folder = folderWithCurl(t, `echo '{"zones":["one.example"]}'`)
  const certificate = join(folder, 'one.example')
  writeFileSync(certificate, '')
  const run = (settings: Readonly<Record<string, string>>): string =>
    askedBy(folder, `${acmeFunctions}. ${hook}\ndns_zonewright_add _acme-challenge.one.example gfj9Xq-Rg85nM`, {
      DOMAIN_CONF: certificate,
      ...settings,
    })
  const issued = run({ ZONEWRIGHT_URL: 'https://dns.example.net', ZONEWRIGHT_KEY: 'svc_live_one' })
  assert.match(issued, /^https:\/\/dns\.example\.net\/api\/v1\/zones\/one\.example\/rrsets\//m)
  assert.doesNotMatch(readFileSync(certificate, 'utf8'), /ZONEWRIGHT_ZONE/)
  assert.equal(run({}), issued)
})

for (const [name, call] of Object.entries(hookCalls))
  test(`${name} accepts the address of the API, which the customers’ pages use, and that of the site`, (t) => {
    const folder = folderWithCurl(t)
    for (const url of [
      'https://dns.example.net/api/v1',
      'https://dns.example.net/api/v1/',
      'https://dns.example.net',
    ]) {
      const settings = { ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: 'svc_live_one', ZONEWRIGHT_ZONE: 'one.example' }
      assert.deepEqual(
        askedBy(folder, call, settings).match(/^https:.*/gm),
        ['https://dns.example.net/api/v1/zones/one.example/rrsets/_acme-challenge.one.example./TXT'],
        url,
      )
    }
  })

for (const [name, call] of Object.entries(hookCalls))
  test(`${name} fails if the API refuses, and prints the reason`, (t) => {
    const folder = folderWithCurl(t, 'echo other.example. is not in the zone; exit 22')
    const settings = {
      ZONEWRIGHT_URL: 'https://dns.example.net',
      ZONEWRIGHT_KEY: 'svc_live_one',
      ZONEWRIGHT_ZONE: 'z.example',
    }
    assert.throws(
      () => askedBy(folder, call, settings),
      (error: Error & { stdout?: Buffer; stderr?: Buffer }) =>
        /is not in the zone/.test(`${error.stdout}${error.stderr}`),
    )
  })

/** A working folder with a stand-in for curl, which records its arguments and returns this response. */
function folderWithCurl(t: TestContext, answer = ':'): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-examples-'))
  t.after(() => rmSync(folder, { recursive: true }))
  standIn(folder, 'curl', `printf '%s\\n' "$@" >> asked; ${answer}`)
  return folder
}

/** The arguments with which these shell commands call that curl, one per line. */
function askedBy(folder: string, commands: string, settings: Readonly<Record<string, string>>): string {
  const asked = join(folder, 'asked')
  writeFileSync(asked, '')
  const env = { PATH: `${folder}:${process.env['PATH']}`, ...settings }
  execFileSync('sh', ['-ec', commands], { cwd: folder, env, stdio: 'pipe' })
  return readFileSync(asked, 'utf8')
}
